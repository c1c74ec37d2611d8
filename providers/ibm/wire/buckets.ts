import type { BucketLimits } from '../../wire/bucket.ts'
import type { Priority, Turn } from '../../wire/limiter.ts'
import { turnsOf, type WantedTurn } from '../../wire/call-line.ts'

/** Our calls, by IBM's names for them. */
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
 * IBM limits the rate of calls and publishes no number. These are our own numbers: enough for a fleet, and no more.
 * IBM's refusals slow them down, and `--granted-limits` changes them.
 */
const table = {
  create: { limits: { burst: 20, perSecond: 5 }, priority: 'launch' },
  delete: { limits: { burst: 50, perSecond: 5 }, priority: 'terminate' },
  look: { limits: { burst: 50, perSecond: 10 }, priority: 'describe' },
  // One call an hour is enough.
  token: { limits: { burst: 5, perSecond: 0.5 }, priority: 'terminate' },
} as const satisfies Readonly<Record<string, Limits>>

type Bucket = keyof typeof table

/** Calls of VPC, and the call to IAM that gets a token for them. */
export type IbmAction = VpcAction | 'get_token'

/** The buckets of one identity and region, for its limiter. */
export const ibmBuckets: Readonly<Record<string, BucketLimits>> = Object.fromEntries(
  Object.entries(table).map(([name, { limits }]) => [name, limits]),
)

const changes: Partial<Record<IbmAction, Bucket>> = {
  create_instance: 'create',
  delete_instance: 'delete',
  get_token: 'token',
}

/** The tokens and the wait of a call. */
export const turnFor: (wanted: WantedTurn<IbmAction>) => Turn = turnsOf({
  buckets: ibmBuckets,
  needsOf: (action: IbmAction) => {
    const bucket = changes[action] ?? 'look'
    return { bucket, priority: table[bucket].priority }
  },
})

/** Whether it changes something. */
export function isWrite(action: IbmAction): boolean {
  return action === 'create_instance' || action === 'delete_instance'
}
