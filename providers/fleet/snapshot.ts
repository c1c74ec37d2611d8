import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'

/** One list of a scope, frozen, with its indexes. */
export interface Snapshot {
  /** The begin of the list, on the monotonic clock. It may lack instances that were created later. */
  readonly begunAt: number
  /** The zones that the list did not cover. It has the last known instances of these. */
  readonly unreachableZones: ReadonlySet<string>
  /** The account that it is of; undefined where that is not known. */
  readonly account: string | undefined
  readonly byId: ReadonlyMap<string, Instance>
  readonly byToken: ReadonlyMap<string, Instance>
  readonly byMachine: ReadonlyMap<string, readonly Instance[]>
}

export const emptySnapshot: Snapshot = snapshotOf([], { begunAt: Number.NEGATIVE_INFINITY })

export function snapshotOf(
  instances: readonly Instance[],
  {
    begunAt,
    unreachableZones = new Set(),
    account,
  }: Pick<Snapshot, 'begunAt'> & Partial<Pick<Snapshot, 'unreachableZones' | 'account'>>,
): Snapshot {
  const byId = new Map<string, Instance>()
  const byToken = new Map<string, Instance>()
  const byMachine = new Map<string, Instance[]>()
  for (const instance of instances) {
    byId.set(instance.id, instance)
    const { tag } = instance
    if (!tag) continue
    byToken.set(tag.token, instance)
    byMachine.set(tag.machine, [...(byMachine.get(tag.machine) ?? []), instance])
  }
  return { begunAt, unreachableZones, account, byId, byToken, byMachine }
}

/** The items of a list, and the last known instances of the zones that the list does not cover. */
export function withLastKnown(
  shown: readonly Instance[],
  unreachableZones: ReadonlySet<string>,
  { byId }: Pick<Snapshot, 'byId'>,
): Instance[] {
  const ids = new Set(shown.map(({ id }) => id))
  return [...shown, ...byId.values().filter(({ id, zone }) => unreachableZones.has(zone) && !ids.has(id))]
}

/**
 * Whether the list covers this zone, so that an instance that it lacks is missing. If the zone is unknown, the list has
 * to cover all zones.
 */
export function covers({ unreachableZones }: Pick<Snapshot, 'unreachableZones'>, zone: string | undefined): boolean {
  return unreachableZones.size === 0 || (zone !== undefined && zone !== '' && !unreachableZones.has(zone))
}

/** The tags of the machines whose instances differ between two lists, came or went. */
export function changedMachines(before: Snapshot, after: Snapshot): Set<string> {
  const changed = new Set<string>()
  const note = (instance: Instance) => {
    if (instance.tag) changed.add(instance.tag.machine)
  }
  for (const instance of after.byId.values()) {
    if (fingerprint(instance) !== fingerprint(before.byId.get(instance.id))) note(instance)
  }
  for (const instance of before.byId.values()) {
    if (!after.byId.has(instance.id)) note(instance)
  }
  return changed
}

/** Whether a change of this field wakes the machine. A field that is added to `Instance` has to be entered here. */
const wakes: Readonly<Record<keyof Instance, boolean>> = {
  state: true,
  started: true,
  reason: true,
  interrupted: true,
  failure: true,
  addresses: true,
  // These stay as they are. Where a stranger changes a tag, the next pass sees it.
  id: false,
  name: false,
  launchedAt: false,
  account: false,
  tag: false,
  capacityType: false,
  instanceType: false,
  zone: false,
}

const wakingFields = (Object.keys(wakes) as (keyof Instance)[]).filter((field) => wakes[field])

function fingerprint(instance: Instance | undefined): string {
  // An error has its own words in each list; its code is the same.
  return instance ? JSON.stringify(wakingFields.map((field) => said(instance[field]))) : ''
}

function said(value: Instance[keyof Instance]): unknown {
  return value instanceof CloudError ? value.code : value
}

/** Whether it is up, so that a notice can still be of use to it. */
export function isUp({ state }: Pick<Instance, 'state'>): boolean {
  return state === 'pending' || state === 'running'
}

/** While one of these is in the list, something is on its way and the next list comes soon. */
export function isUnsettled({ state }: Instance): boolean {
  return state === 'pending' || state === 'stopping' || state === 'terminating'
}
