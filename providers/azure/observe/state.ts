import type { CloudError } from '../../../api/cloud-error.ts'
import { launchedAt } from '../../shared/instant.ts'
import { tagIn } from '../../shared/instance-name.ts'
import type { Address, Instance, InstanceState } from '../../../api/instance.ts'
import type { Disk, NetworkInterface, VirtualMachine } from '../wire/documents.ts'
import { idOf, readId } from '../wire/resource-ids.ts'
import { isAnothers, readBought, readTag, type Bought } from './ownership.ts'
import { groupOfAccount } from './provider-id.ts'
import { viewOf, type Power, type View } from './view.ts'

/** All that is known of one machine, from several lists and from before. */
export interface Shown {
  readonly machine: VirtualMachine
  readonly nic?: NetworkInterface | undefined
  /** A disk that was made with it. */
  readonly disk?: Disk | undefined
  /** As it was last seen. */
  readonly before?: Instance | undefined
  readonly subscription: string
}

const states: Readonly<Record<Power, InstanceState>> = {
  starting: 'pending',
  running: 'running',
  stopping: 'stopping',
  deallocating: 'stopping',
  stopped: 'stopped',
  deallocated: 'stopped',
}

/** Azure's machine as ours. */
export function toInstance({ machine, nic, disk, before, subscription }: Shown): Instance {
  const { group, name } = readId(machine.id)
  const view = viewOf(machine)
  const bought = boughtOf(machine, nic, before)
  const state = stateOf(view, before)
  // A machine that has run was not refused, even if a later step failed.
  const failure = before?.started ? undefined : view.failure
  return {
    id: idOf({ group, name }),
    name,
    ...madeAt(machine, disk, before),
    account: groupOfAccount(subscription, group),
    state,
    started: hasStarted(view),
    tag: tagFrom(name, machine, nic),
    ...bought,
    addresses: addressesOf(name, nic) ?? before?.addresses ?? [],
    ...(state === 'stopping' || state === 'stopped' ? endOf(view, { bought, before, failure }) : {}),
    ...(failure ? { failure } : {}),
  }
}

/** The list that tells the power may lack it; a disk that was made with the machine has it. */
function madeAt(
  { properties }: VirtualMachine,
  disk: Disk | undefined,
  before: Instance | undefined,
): Pick<Instance, 'launchedAt'> {
  const known = before?.launchedAt
  if (known !== undefined) return { launchedAt: known }
  return launchedAt(properties?.timeCreated, disk?.properties?.timeCreated)
}

/** A machine that is being made appears as stopped, so its power counts only after that. */
function stateOf({ provisioning, power, failure }: View, before: Instance | undefined): InstanceState {
  if (provisioning === 'deleting') return 'terminating'
  if (provisioning === 'creating') return 'pending'
  if (power) return states[power.is]
  // Azure sometimes leaves the power out, which means nothing. For a machine that has run, the last state holds.
  if (before?.started && before.state !== 'terminating') return before.state
  return failure && failure.kind !== 'transient' ? 'stopped' : 'pending'
}

function hasStarted({ provisioning, power }: View): boolean {
  return provisioning === 'done' || (provisioning === 'failed' && power?.is === 'running')
}

/**
 * Azure does not say who stopped a machine. A stopped spot machine counts as evicted under any policy, because we never
 * stop one.
 */
function endOf(
  { power }: View,
  { bought, before, failure }: { bought: Bought; before: Instance | undefined; failure: CloudError | undefined },
): Pick<Instance, 'reason' | 'interrupted'> {
  if (!power) return { ...(before?.reason ? { reason: before.reason } : {}), ...interruptedIf(before?.interrupted) }
  return {
    reason: { code: `PowerState/${power.is}`, message: power.display },
    ...interruptedIf(bought.capacityType === 'Spot' && !failure),
  }
}

function interruptedIf(so: boolean | undefined): { interrupted?: true } {
  return so ? { interrupted: true } : {}
}

/**
 * The name proves the owner; tags must not contradict it. The list that tells the power shows no tags, all other
 * answers show them.
 */
function tagFrom(
  name: string,
  { tags, properties }: VirtualMachine,
  nic: NetworkInterface | undefined,
): Instance['tag'] {
  const isWhole = properties?.hardwareProfile !== undefined
  let tag = tagIn(name)
  for (const shown of [tags ?? (isWhole ? {} : undefined), nic && (nic.tags ?? {})]) {
    if (!tag || isAnothers(shown, tag)) return undefined
    // The name has a digest of the machine only, tags have it in full.
    tag = readTag(shown) ?? tag
  }
  return tag
}

function boughtOf(machine: VirtualMachine, nic: NetworkInterface | undefined, before: Instance | undefined): Bought {
  const known = readBought(machine.tags) ?? readBought(nic?.tags) ?? before
  if (!known) return boughtByItself(machine)
  const { capacityType, instanceType, zone } = known
  return { capacityType, instanceType, zone }
}

function boughtByItself({ properties = {}, zones }: VirtualMachine): Bought {
  const { priority = '', hardwareProfile, capacityReservation } = properties
  const otherwise = capacityReservation?.capacityReservationGroup?.id === undefined ? 'OnDemand' : 'Reserved'
  return {
    capacityType: priority.startsWith('Spot') ? 'Spot' : otherwise,
    instanceType: hardwareProfile?.vmSize ?? '',
    zone: zones?.[0] ?? '',
  }
}

/** Undefined: not known. */
function addressesOf(name: string, nic: NetworkInterface | undefined): Address[] | undefined {
  if (!nic) return undefined
  const inside = (nic.properties?.ipConfigurations ?? []).flatMap(
    ({ properties }) => properties?.privateIPAddress ?? [],
  )
  return [
    { type: 'InternalDNS', address: name },
    ...inside.map((address): Address => ({ type: 'InternalIP', address })),
  ]
}
