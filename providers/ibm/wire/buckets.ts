import type { BucketLimits } from '../../wire/bucket.ts'
import type { Priority, Turn } from '../../wire/limiter.ts'

/** The calls that we make, by IBM's names for them. */
export type VpcAction =
  | 'create_instance'
  | 'delete_instance'
  | 'get_instance'
  | 'list_instances'
  | 'get_instance_profile'
  | 'get_image'
  | 'list_images'
  | 'get_subnet'
  | 'list_keys'
  | 'list_security_groups'

interface Limits {
  readonly limits: BucketLimits
  readonly priority: Priority
}

/**
 * IBM limits the rate of calls and publishes no number. These are ours: a fleet's needs, and no more. IBM's "too many"
 * slows them down, and `--granted-limits` changes them.
 */
const table = {
  create: { limits: { burst: 20, perSecond: 5 }, priority: 'launch' },
  delete: { limits: { burst: 50, perSecond: 5 }, priority: 'terminate' },
  look: { limits: { burst: 50, perSecond: 10 }, priority: 'describe' },
  // One an hour is what it takes.
  token: { limits: { burst: 5, perSecond: 0.5 }, priority: 'terminate' },
} as const satisfies Readonly<Record<string, Limits>>

type Bucket = keyof typeof table

/** The buckets of one identity and region, for its limiter. */
export const ibmBuckets: Readonly<Record<string, BucketLimits>> = Object.fromEntries(
  Object.entries(table).map(([name, { limits }]) => [name, limits]),
)

const changes: Partial<Record<VpcAction | 'get_token', Bucket>> = {
  create_instance: 'create',
  delete_instance: 'delete',
  get_token: 'token',
}

/** A caller that holds a worker waits for so many tokens of a bucket, and never longer than this. */
const tokensWaitedFor = 4
const longestWaitMs = 2_000

export interface WantedTurn {
  readonly action: VpcAction | 'get_token'
  /** For whom: the attempt's token. A caller that is sent away and comes back with it has kept its place. */
  readonly key?: string
  /** The tenant, for calls that wait for each other. */
  readonly whose?: string
  /** `Infinity` for a caller that holds no worker, like a poller. */
  readonly maxWaitMs?: number
}

/** What a call has to wait for. */
export function turnFor({ action, key, whose, maxWaitMs }: WantedTurn): Turn {
  const bucket = changes[action] ?? 'look'
  const { limits, priority } = table[bucket]
  return {
    bucket,
    priority,
    ...(key === undefined ? {} : { key }),
    ...(whose === undefined ? {} : { whose }),
    maxWaitMs: maxWaitMs ?? Math.min(longestWaitMs, (tokensWaitedFor / limits.perSecond) * 1_000),
  }
}

/** Whether it changes something. */
export function isWrite(action: VpcAction | 'get_token'): boolean {
  return action === 'create_instance' || action === 'delete_instance'
}
