import type { BucketLimits } from '../../wire/bucket.ts'
import type { Turn } from '../../wire/limiter.ts'
import { turnsOf, type Needs, type WantedTurn } from '../../wire/call-line.ts'

/** Our calls, by GCE's own names. */
export type GceAction =
  | 'instances.insert'
  | 'instances.delete'
  | 'instances.get'
  | 'instances.aggregatedList'
  | 'globalOperations.aggregatedList'
  | 'machineTypes.aggregatedList'
  | 'regions.get'

/**
 * GCE counts the calls of a project in minutes of the wall clock, 1,500 of each group. The burst and the calls of one
 * minute together stay below that, wherever the minute begins. https://cloud.google.com/compute/api-quota
 */
const aMinute: BucketLimits = { burst: 300, perSecond: 20 }

/** The buckets of one project, for its limiter. */
export const gceBuckets = { queries: aMinute, reads: aMinute, lists: aMinute } as const satisfies Readonly<
  Record<string, BucketLimits>
>

const rows: Readonly<Record<GceAction, Needs<keyof typeof gceBuckets>>> = {
  'instances.insert': { bucket: 'queries', priority: 'launch' },
  'instances.delete': { bucket: 'queries', priority: 'terminate' },
  'instances.get': { bucket: 'reads', priority: 'describe' },
  'instances.aggregatedList': { bucket: 'lists', priority: 'describe' },
  'globalOperations.aggregatedList': { bucket: 'lists', priority: 'describe' },
  'machineTypes.aggregatedList': { bucket: 'lists', priority: 'describe' },
  'regions.get': { bucket: 'reads', priority: 'describe' },
}

/** The tokens and the wait of a call. It waits as long as any caller may: all calls share three buckets. */
export const turnFor: (wanted: WantedTurn<GceAction>) => Turn = turnsOf({
  buckets: gceBuckets,
  needsOf: (action: GceAction) => rows[action],
  turnsWaitedFor: Infinity,
})
