import { attemptPatterns } from '../observe/attempt-patterns.ts'

/**
 * GCE's documents, as far as we ask for them. `answers.ts` checks them. Ids are texts: they have more digits than a
 * number holds.
 */
export interface GceInstance {
  readonly id: string
  readonly name: string
  /** An address, the last part of which is the zone's name. */
  readonly zone: string
  readonly status: string
  readonly labels?: Readonly<Record<string, string>>
  /** An address too. */
  readonly machineType?: string
  readonly creationTimestamp?: string
  readonly lastStartTimestamp?: string
  readonly scheduling?: {
    readonly preemptible?: boolean
    readonly provisioningModel?: string
    readonly instanceTerminationAction?: string
  }
  readonly reservationAffinity?: { readonly consumeReservationType?: string }
  readonly networkInterfaces?: readonly GceInterface[]
}

export interface GceInterface {
  readonly networkIP?: string
  readonly ipv6Address?: string
  readonly accessConfigs?: readonly { readonly natIP?: string }[]
}

export interface GceOperation {
  readonly operationType?: string
  /** PENDING, RUNNING or DONE. */
  readonly status?: string
  readonly statusMessage?: string
  /** The user who requested it; `system` where GCE did it by itself. */
  readonly user?: string
  readonly targetId?: string
  readonly targetLink?: string
  /** The requestId of the call that began it. */
  readonly clientOperationId?: string
  readonly insertTime?: string
  readonly error?: { readonly errors?: readonly { readonly code?: string; readonly message?: string }[] }
}

export interface GceMachineType {
  readonly name?: string
  readonly guestCpus?: number
  readonly memoryMb?: number
  readonly architecture?: string
  readonly accelerators?: readonly { readonly guestAcceleratorType?: string; readonly guestAcceleratorCount?: number }[]
}

/** A list over all zones. The items of a zone stand under `zones/<name>`, beside a warning where some are missing. */
export interface GceAggregatedList<Collection extends string, T> {
  readonly items?: Readonly<Record<string, GceScoped<Collection, T>>>
  readonly nextPageToken?: string
  /** Zones and regions that did not answer. */
  readonly unreachables?: readonly string[]
}

export type GceScoped<Collection extends string, T> = { readonly [Name in Collection]?: readonly T[] } & {
  readonly warning?: { readonly code?: string }
}

/** The fields that we ask for. Never `metadata`: it contains the bootstrap data. */
export const fields = {
  instance:
    'id,name,zone,status,labels,machineType,creationTimestamp,lastStartTimestamp,' +
    'scheduling(preemptible,provisioningModel,instanceTerminationAction),' +
    'reservationAffinity/consumeReservationType,networkInterfaces(networkIP,ipv6Address,accessConfigs/natIP)',
  operation:
    'operationType,status,statusMessage,user,targetId,targetLink,clientOperationId,insertTime,error/errors(code,message)',
  machineType: 'name,guestCpus,memoryMb,architecture,accelerators',
} as const

/** The name at the end of the address of a thing. */
export function lastPart(address: string | undefined): string {
  return address?.slice(address.lastIndexOf('/') + 1) ?? ''
}

/** The zone in the address of a thing that is in one: `…/zones/<zone>/…`. Empty where there is none. */
export function zoneIn(address: string | undefined): string {
  const zone = /(?:^|\/)zones\/([^/]+)/.exec(address ?? '')?.[1] ?? ''
  return zonePattern.test(zone) ? zone : ''
}

const { zone: zonePattern } = attemptPatterns

export function isZoneOf(region: string, zone: string): boolean {
  return zone.length <= 63 && zonePattern.test(zone) && zone.startsWith(`${region}-`)
}
