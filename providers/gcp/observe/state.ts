import { CloudError } from '../../../api/cloud-error.ts'
import { inTable, shortened } from '../../errors.ts'
import { launchedAt } from '../../shared/instant.ts'
import { ForeignAnswer } from '../../shared/foreign-answer.ts'
import { tagIn } from '../../shared/instance-name.ts'
import type { Address, Instance, InstanceState } from '../../../api/instance.ts'
import type { CapacityType } from '../../../api/offering.ts'
import { readTag } from './ownership.ts'
import { lastPart, zoneIn, type GceInstance, type GceOperation } from '../wire/documents.ts'

const states: Readonly<Record<string, InstanceState>> = {
  PENDING: 'pending',
  PROVISIONING: 'pending',
  STAGING: 'pending',
  RUNNING: 'running',
  // Out of order for a while. The next status shows whether GCE repairs it.
  REPAIRING: 'pending',
  PENDING_STOP: 'stopping',
  STOPPING: 'stopping',
  SUSPENDING: 'stopping',
  DEPROVISIONING: 'terminating',
  STOPPED: 'stopped',
  SUSPENDED: 'stopped',
  TERMINATED: 'stopped',
}

/** From STAGING on GCE has found the capacity. */
const starting = new Set(['STAGING', 'RUNNING', 'REPAIRING'])
const notStarted = new Set(['PENDING', 'PROVISIONING'])

/** An instance of GCE, with a fact that only this adapter needs. */
export interface GcpInstance extends Instance {
  /** A preemption deletes it, so an instance that is preempted is gone or will be. */
  readonly isDeletedWhenPreempted: boolean
}

/** GCE's instance as ours. A status that is new to us counts as "not started yet", never as an end. */
export function toInstance(from: GceInstance, project: string): GcpInstance {
  const { id, name, status } = from
  const zone = lastPart(from.zone)
  return {
    id: idOf(zone, id),
    name,
    ...launchedAt(from.creationTimestamp),
    account: project,
    state: inTable(states, status) ?? 'pending',
    started: starting.has(status) || (!notStarted.has(status) && from.lastStartTimestamp !== undefined),
    tag: readTag(from),
    capacityType: capacityTypeOf(from),
    instanceType: lastPart(from.machineType),
    zone,
    addresses: addressesOf(from, { name, zone, project }),
    isDeletedWhenPreempted: isDeletedWhenPreempted(from),
  }
}

/**
 * An instance that is not shown, from one of its operations: the zone from the address, and the owner from the name.
 * Throws for an operation that names no instance.
 */
export function fromOperation(operation: GceOperation, project: string): GcpInstance {
  const name = lastPart(operation.targetLink)
  const zone = zoneIn(operation.targetLink)
  if (zone === '' || name === '' || operation.targetId === undefined) {
    throw new ForeignAnswer('GCE answered with an operation that names no instance.')
  }
  return {
    id: idOf(zone, operation.targetId),
    name,
    account: project,
    state: 'pending',
    started: false,
    // Every name is used only once, for an instance that also gets the labels.
    tag: tagIn(name),
    // An operation does not tell the offering.
    capacityType: 'OnDemand',
    instanceType: '',
    zone,
    addresses: [],
    isDeletedWhenPreempted: false,
  }
}

/** Numeric ids are never used again, and are looked up only in their zone. */
export function idOf(zone: string, numeric: string): string {
  return `${zone}/${numeric}`
}

/** An id may come from an annotation. Throws 'invalid' for texts that are none. */
export function partsOfId(id: string): { readonly zone: string; readonly numeric: string } {
  const [, zone, numeric] = /^([a-z0-9-]+)\/([0-9]+)$/.exec(id) ?? []
  if (zone !== undefined && numeric !== undefined) return { zone, numeric }
  const message = `${JSON.stringify(shortened(id))} is not the id of a GCE instance: a zone and a number.`
  throw new CloudError('invalid', { code: 'InvalidId', message })
}

/** Nothing tells whether an open reservation was used; only a named reservation is certain. */
export function capacityTypeOf({ scheduling, reservationAffinity }: Bought): CapacityType {
  if (scheduling?.provisioningModel === 'SPOT' || scheduling?.preemptible) return 'Spot'
  return reservationAffinity?.consumeReservationType === 'SPECIFIC_RESERVATION' ? 'Reserved' : 'OnDemand'
}

export function isDeletedWhenPreempted({ scheduling }: Bought): boolean {
  return scheduling?.instanceTerminationAction === 'DELETE'
}

interface Bought {
  readonly scheduling?: GceInstance['scheduling']
  readonly reservationAffinity?: GceInstance['reservationAffinity'] | undefined
}

interface NameParts {
  readonly name: string
  readonly zone: string
  readonly project: string
}

/** The DNS names that GCE's own DNS server knows in every network. */
function addressesOf({ networkInterfaces = [] }: GceInstance, { name, zone, project }: NameParts): Address[] {
  const numbers = networkInterfaces.flatMap(({ networkIP, ipv6Address, accessConfigs = [] }) => [
    ...[networkIP, ipv6Address].map((address) => ({ type: 'InternalIP' as const, address })),
    ...accessConfigs.map(({ natIP }) => ({ type: 'ExternalIP' as const, address: natIP })),
  ])
  const names = [`${name}.${zone}.c.${project}.internal`, `${name}.c.${project}.internal`, name]
  return [
    ...numbers.flatMap(({ type, address }) => (address ? [{ type, address }] : [])),
    ...names.map((address) => ({ type: 'InternalDNS' as const, address })),
  ]
}
