import type { BucketLimits } from '../../wire/bucket.ts'
import type { Priority, Turn } from '../../wire/limiter.ts'

/** The calls that we make, by GCE's own names. */
export type GceAction =
  | 'instances.insert'
  | 'instances.delete'
  | 'instances.get'
  | 'instances.aggregatedList'
  | 'globalOperations.aggregatedList'
  | 'machineTypes.aggregatedList'
  | 'regions.get'

/**
 * GCE counts the calls of a project in minutes of the clock on the wall, 1,500 of each group. What is had at once and
 * what comes in a minute together stay below that, wherever the minute begins.
 * https://cloud.google.com/compute/api-quota
 */
const aMinute: BucketLimits = { burst: 300, perSecond: 20 }

/** The buckets of one project, for its limiter. */
export const gceBuckets = { queries: aMinute, reads: aMinute, lists: aMinute } as const satisfies Readonly<
  Record<string, BucketLimits>
>

const rows: Readonly<Record<GceAction, { readonly bucket: keyof typeof gceBuckets; readonly priority: Priority }>> = {
  'instances.insert': { bucket: 'queries', priority: 'launch' },
  'instances.delete': { bucket: 'queries', priority: 'terminate' },
  'instances.get': { bucket: 'reads', priority: 'describe' },
  'instances.aggregatedList': { bucket: 'lists', priority: 'describe' },
  'globalOperations.aggregatedList': { bucket: 'lists', priority: 'describe' },
  'machineTypes.aggregatedList': { bucket: 'lists', priority: 'describe' },
  'regions.get': { bucket: 'reads', priority: 'describe' },
}

/** A caller that holds a worker never waits longer than this. */
const longestWaitMs = 2_000

export interface WantedTurn {
  readonly action: GceAction
  /** For whom: the attempt's token. A caller that is sent away and comes back with it has kept its place. */
  readonly key?: string
  /** The tenant, for calls that wait for each other. */
  readonly whose?: string
  /** `Infinity` for a caller that holds no worker, like a poller. */
  readonly maxWaitMs?: number
}

/** What a call has to wait for. */
export function turnFor({ action, key, whose, maxWaitMs = longestWaitMs }: WantedTurn): Turn {
  return {
    ...rows[action],
    ...(key === undefined ? {} : { key }),
    ...(whose === undefined ? {} : { whose }),
    maxWaitMs,
  }
}
