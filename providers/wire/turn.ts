import type { BucketLimits } from './bucket.ts'
import type { Priority, Turn } from './limiter.ts'

/** A call as its caller asks for it. */
export interface WantedTurn<Action extends string> {
  readonly action: Action
  /** For whom: the attempt's token. A caller that is sent away and comes back with it has kept its place. */
  readonly key?: string
  /** The tenant, for calls that wait for each other. */
  readonly whose?: string
  /** `Infinity` for a caller that holds no worker, like a poller. */
  readonly maxWaitMs?: number
}

/** The tokens that a call takes: one of its own bucket, and these of others. */
export interface Needs<Bucket extends string = string> {
  readonly bucket: Bucket
  readonly also?: Readonly<Partial<Record<Bucket, number>>>
  readonly priority: Priority
}

interface TurnTable<Action extends string, Bucket extends string> {
  readonly buckets: Readonly<Record<Bucket, BucketLimits>>
  readonly needsOf: (action: Action) => Needs<Bucket>
  /** A caller that holds a worker waits for so many turns of the slowest bucket. */
  readonly turnsWaitedFor?: number
}

/** A caller that holds a worker never waits longer than this. */
export const longestWaitMs = 2_000

/** How a cloud's calls become turns of its limiter. */
export function turnsOf<Action extends string, Bucket extends string>({
  buckets,
  needsOf,
  turnsWaitedFor = 4,
}: TurnTable<Action, Bucket>): (wanted: WantedTurn<Action>) => Turn {
  const msForOne = ({ bucket, also }: Needs<Bucket>) => {
    const takes = Object.entries({ [bucket]: 1, ...also }) as [Bucket, number][]
    return Math.max(...takes.map(([name, tokens]) => (tokens / buckets[name].perSecond) * 1_000))
  }
  return ({ action, key, whose, maxWaitMs }) => {
    const needs = needsOf(action)
    const { bucket, also, priority } = needs
    return {
      bucket,
      ...(also ? { also: also as Readonly<Record<string, number>> } : {}),
      priority,
      ...(key === undefined ? {} : { key }),
      ...(whose === undefined ? {} : { whose }),
      maxWaitMs: maxWaitMs ?? Math.min(longestWaitMs, turnsWaitedFor * msForOne(needs)),
    }
  }
}
