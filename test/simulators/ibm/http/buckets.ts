import type { Clock } from '../../../../api/ctx.ts'
import type { BucketTableName } from '../../kit/control/bucket-control.ts'
import { SwitchedBuckets } from '../../kit/http/switched-buckets.ts'
import type { BucketSize } from '../../kit/http/token-bucket.ts'
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
 * them.
 */
export const assumedBuckets: BucketTable = {
  read: { most: 100, perSecond: 20 },
  write: { most: 50, perSecond: 5 },
  actions: { create_instance: { most: 20, perSecond: 5 } },
}

const bucketTables: Readonly<Record<BucketTableName, BucketTable>> = { real: assumedBuckets, none: {} }

export const rateLimitExceeded = {
  code: 'rate_limit_exceeded',
  message: 'Too many requests within a short time.',
} as const

/** The buckets of one account in one region. An empty one refuses its own action and no other. */
export class Buckets extends SwitchedBuckets<BucketTable> {
  constructor(clock: Clock, table: BucketTableName | BucketTable) {
    super(clock, bucketTables, table)
  }

  /** One call. */
  admit(action: string): void {
    const { read, write, actions } = this.table
    const own = actions && Object.hasOwn(actions, action) ? actions[action] : undefined
    const size = own ?? (/^(list|get)_/.test(action) ? read : write)
    if (!this.buckets.take(action, size)) return
    throw new IbmError(rateLimitExceeded.code, rateLimitExceeded.message)
  }
}
