import { CloudError } from '../../../api/cloud-error.ts'
import { inTable, shortened } from '../../errors.ts'
import { launchedAt } from '../../shared/instant.ts'
import { ForeignAnswer } from '../../shared/foreign-answer.ts'
import { markIn } from '../../shared/instance-name.ts'
import type { Address, Instance, InstanceState } from '../../../api/instance.ts'
import type { CapacityType } from '../../../api/offering.ts'
import { readMark } from './ownership.ts'
import { lastPart, zoneIn, type GceInstance, type GceOperation } from '../wire/documents.ts'

const states: Readonly<Record<string, InstanceState>> = {
  PENDING: 'pending',
  PROVISIONING: 'pending',
  STAGING: 'pending',
  RUNNING: 'running',
  // Out of order for a while; what GCE then does shows in the next status.
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

/** An instance of GCE, with what only we need to know of it. */
export interface GcpInstance extends Instance {
  /** GCE takes it away as soon as it takes it back: it is preempted, so it is gone or will be. */
  readonly isDeletedWhenPreempted: boolean
}

/** GCE's view of an instance as ours. A status that is new to us is "not started yet", never fatal. */
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
    tag: readMark(from),
    capacityType: capacityTypeOf(from),
    instanceType: lastPart(from.machineType),
    zone,
    addresses: addressesOf(from, { name, zone, project }),
    isDeletedWhenPreempted: isDeletedWhenPreempted(from),
  }
}

/**
 * What an operation says of an instance that is not shown: where it is or was, and by its name whose. Throws for one
 * that does not say of what it is.
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
    // Every name is given once only, to an instance that also gets the labels.
    tag: markIn(name),
    // An operation does not tell what was to be bought.
    capacityType: 'OnDemand',
    instanceType: '',
    zone,
    addresses: [],
    isDeletedWhenPreempted: false,
  }
}

/** Numeric ids are not used again, and are looked up in their zone only. */
export function idOf(zone: string, numeric: string): string {
  return `${zone}/${numeric}`
}

/** An id may come from an annotation. Throws 'invalid' for what is none: no look and no end can follow from it. */
export function partsOfId(id: string): { readonly zone: string; readonly numeric: string } {
  const [, zone, numeric] = /^([a-z0-9-]+)\/([0-9]+)$/.exec(id) ?? []
  if (zone !== undefined && numeric !== undefined) return { zone, numeric }
  const message = `${JSON.stringify(shortened(id))} is not the id of a GCE instance: a zone and a number.`
  throw new CloudError('invalid', { code: 'InvalidId', message })
}

/** Whether an open reservation was used stands nowhere; only who names one runs in it for certain. */
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

interface Place {
  readonly name: string
  readonly zone: string
  readonly project: string
}

/** The names are those that GCE's own DNS server knows in every network. */
function addressesOf({ networkInterfaces = [] }: GceInstance, { name, zone, project }: Place): Address[] {
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
