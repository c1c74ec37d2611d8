import type { Clock } from '../../../api/ctx.ts'
import { TokenBucket, type BucketSize } from '../common/token-bucket.ts'
import { IbmError } from './errors.ts'

/** How often an account may call. What is left out has no bucket. */
export interface BucketTable {
  /** A bucket for each action that only looks. */
  readonly read?: BucketSize
  /** A bucket for each action that changes something. */
  readonly write?: BucketSize
  /** Actions with a size of their own. */
  readonly actions?: Readonly<Record<string, BucketSize>>
}

/**
 * IBM publishes no number for VPC, only that there is a limit: these are assumptions, tight enough for a fleet to meet
 * them. The table has the name that the program's flag `--buckets` gives to every cloud's own limits.
 */
export const assumedBuckets: BucketTable = {
  read: { most: 100, perSecond: 20 },
  write: { most: 50, perSecond: 5 },
  actions: { create_instance: { most: 20, perSecond: 5 } },
}

export const bucketTables = { ec2: assumedBuckets, none: {} } as const satisfies Record<string, BucketTable>
export type BucketTableName = keyof typeof bucketTables
export const bucketTableNames = Object.keys(bucketTables) as readonly BucketTableName[]

export const rateLimitExceeded = {
  code: 'rate_limit_exceeded',
  message: 'Too many requests within a short time.',
} as const

/** The buckets of one account in one region. An empty one refuses its own action and no other. */
export class Buckets {
  readonly #clock: Clock
  #table: BucketTable = {}
  #scale = 1
  readonly #filled = new Map<string, TokenBucket>()

  constructor(clock: Clock, table: BucketTableName | BucketTable) {
    this.#clock = clock
    this.use(table)
  }

  /** Other buckets from now on, all of them full. `scale`: so many times the size and the flow. */
  use(table: BucketTableName | BucketTable, scale = 1): void {
    this.#table = typeof table === 'string' ? bucketTables[table] : table
    this.#scale = scale
    this.#filled.clear()
  }

  /** One call. */
  admit(action: string): void {
    const { read, write, actions } = this.#table
    const own = actions && Object.hasOwn(actions, action) ? actions[action] : undefined
    const size = own ?? (/^(list|get)_/.test(action) ? read : write)
    if (!size) return
    const now = this.#clock.monotonic()
    let bucket = this.#filled.get(action)
    if (!bucket) {
      const scaled = { most: Math.max(1, size.most * this.#scale), perSecond: size.perSecond * this.#scale }
      bucket = new TokenBucket(scaled, now)
      this.#filled.set(action, bucket)
    }
    if (!bucket.take(1, now)) throw new IbmError(rateLimitExceeded.code, rateLimitExceeded.message)
  }

  /** What is in the buckets that have been used. */
  levels(): Readonly<Record<string, number>> {
    const now = this.#clock.monotonic()
    return Object.fromEntries([...this.#filled].map(([name, bucket]) => [name, bucket.level(now)]))
  }
}
