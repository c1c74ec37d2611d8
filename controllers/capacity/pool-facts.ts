import type { CapacityPoolManager, CapacityPoolSpec } from '../../api/generated/capacity-pool.ts'
import { timeOf } from '../../api/conditions.ts'
import { avoidedUntil } from '../../api/rules/capacity/avoided.ts'
import { recordOf } from '../../api/rules/capacity/pool-entry.ts'
import { stateOf, type ClosingReason, type PoolRecord } from '../../api/rules/capacity/pool-view.ts'
import { joined, type GroupFacts } from '../../api/rules/group-facts.ts'
import { groupsClosedBy } from '../../api/rules/capacity/what-closes.ts'
import type { Offering } from '../../api/offering.ts'
import { scopeKey, type Scope } from '../../api/scope.ts'
import { poolGroup } from './pool-sightings.ts'

interface Entry {
  readonly spec: CapacityPoolSpec
  readonly entry?: CapacityPoolManager
}

/** The others close a quota or a price, which are groups of their own. */
const closesOffering: readonly (ClosingReason | undefined)[] = ['InsufficientCapacity', 'StartTimeout']

/** What a refusal of the offering itself closes, for machines with `fallback` too. */
export function groupsOfPool(scope: Scope, offering: Offering): string[] {
  const asked = { scope: scopeKey(scope), offering, maxPrice: 'default', constraints: '', quota: { name: '', size: 0 } }
  return [...groupsClosedBy({ ...asked, kind: 'capacity', reach: 'unsold' })]
}

/** What an entry says for the memory: times of refusals and successes, and no pause, which each policy has itself. */
export function factsOfPool(scope: Scope, { spec, entry }: Entry, now: number): Map<string, GroupFacts> {
  const record = entry && recordOf(withoutTimesAhead(entry, now), scope.cloud, now)
  const forgotten = record ? forgottenIn(record) : {}
  return new Map([
    ...groupsOfPool(scope, spec).map((group) => [group, forgotten] as const),
    [poolGroup(scope, spec), record ? joined(factsOf(record, now), forgotten) : {}],
  ])
}

/** As if a machine had come up when the object was deleted. */
function forgottenIn({ forgottenAt }: PoolRecord): GroupFacts {
  return forgottenAt === undefined ? {} : openedAt(forgottenAt)
}

/** The facts of a machine that was requested and came up at this time. */
export function openedAt(at: number): GroupFacts {
  return { served: { requestedAt: at, at } }
}

/** They come from another clock. As times of now they would be told anew with each look at the object. */
function withoutTimesAhead(entry: CapacityPoolManager, now: number): CapacityPoolManager {
  const ahead = events.filter((field) => (timeOf(entry[field]) ?? now) > now)
  return { ...entry, ...Object.fromEntries(ahead.map((field) => [field, undefined])) }
}

const events = ['lastRefusal', 'lastSuccess', 'lastInterruption', 'forgottenAt'] as const

function factsOf(record: PoolRecord, now: number): GroupFacts {
  const { cloud, reason, refusedAt, served, interruptedAt } = record
  const isRefused = refusedAt !== undefined && closesOffering.includes(reason) && stateOf(record, now) === 'Closed'
  return {
    ...(isRefused ? { refusedAt } : {}),
    ...(served ? { served } : {}),
    ...(interruptedAt === undefined ? {} : { avoidedUntil: avoidedUntil(cloud, interruptedAt) }),
  }
}
