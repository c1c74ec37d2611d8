import type { Clock } from '../../../../api/ctx.ts'
import type { BucketTableName } from '../../kit/control/bucket-control.ts'
import { SwitchedBuckets } from '../../kit/http/switched-buckets.ts'
import type { BucketSize } from '../../kit/http/token-bucket.ts'
import { Ec2Error } from './errors.ts'

/** How often an account may call, and how much it may ask for. What is left out has no bucket. */
export interface BucketTable {
  /** A bucket for each action that only looks. */
  readonly describe?: BucketSize
  /** A second, smaller one for some of these: calls with neither a filter nor a page take from it. */
  readonly unfiltered?: BucketSize
  /** A bucket for each action that changes something. */
  readonly mutate?: BucketSize
  /** Actions with a size of their own. */
  readonly actions?: Readonly<Record<string, BucketSize>>
  /** Tokens are instances here, whatever the number of calls. */
  readonly instances?: Readonly<Record<string, BucketSize>>
}

/** What an account gets that has asked for nothing more, in each region. */
export const ec2Buckets: BucketTable = {
  describe: { most: 100, perSecond: 20 },
  unfiltered: { most: 50, perSecond: 10 },
  mutate: { most: 50, perSecond: 5 },
  actions: {
    CreateTags: { most: 100, perSecond: 10 },
    DeleteTags: { most: 100, perSecond: 10 },
    RunInstances: { most: 5, perSecond: 2 },
    TerminateInstances: { most: 100, perSecond: 5 },
  },
  instances: {
    RunInstances: { most: 1000, perSecond: 2 },
    TerminateInstances: { most: 1000, perSecond: 20 },
  },
}

const bucketTables: Readonly<Record<BucketTableName, BucketTable>> = { real: ec2Buckets, none: {} }

export const requestLimitExceeded = { code: 'RequestLimitExceeded', message: 'Request limit exceeded.' } as const

const withSmallBucket = new Set([
  'DescribeInstances',
  'DescribeInstanceStatus',
  'DescribeNetworkInterfaces',
  'DescribeSecurityGroups',
  'DescribeSnapshots',
  'DescribeSpotInstanceRequests',
  'DescribeVolumes',
])

/** The buckets of one account in one region. An empty one refuses its own action and no other. */
export class Buckets extends SwitchedBuckets<BucketTable> {
  constructor(clock: Clock, table: BucketTableName | BucketTable) {
    super(clock, bucketTables, table)
  }

  /** One call. `parameters`: the names of what it said. */
  admit(action: string, parameters: readonly string[]): void {
    const { describe, unfiltered, mutate, actions } = this.table
    const own = actions && Object.hasOwn(actions, action) ? actions[action] : undefined
    const looks = /^(Describe|Get|List|Search)/.test(action)
    if (!own && withSmallBucket.has(action) && !parameters.some(narrows)) {
      this.#take(`${action} unfiltered`, unfiltered, 1)
    } else this.#take(action, own ?? (looks ? describe : mutate), 1)
  }

  /** Instances that a call is about to launch or to end. */
  takeInstances(action: string, count: number): void {
    this.#take(`${action} instances`, this.table.instances?.[action], count)
  }

  #take(name: string, size: BucketSize | undefined, count: number): void {
    if (!this.buckets.take(name, size, count)) return
    throw new Ec2Error(requestLimitExceeded.code, requestLimitExceeded.message)
  }
}

function narrows(parameter: string): boolean {
  return parameter === 'MaxResults' || parameter === 'NextToken' || parameter.startsWith('Filter.')
}
