import type { BucketLimits } from '../../wire/bucket.ts'
import type { Priority, Turn } from '../../wire/limiter.ts'

/** The calls that we make, by EC2's own names. Each has a bucket of its own. */
export type Ec2Action =
  | 'RunInstances'
  | 'TerminateInstances'
  | 'DescribeInstances'
  | 'DescribeImages'
  | 'DescribeInstanceTypes'
  | 'DescribeInstanceTypeOfferings'
  | 'DescribeSecurityGroups'
  | 'DescribeSubnets'

interface ActionLimits {
  /** Requests. */
  readonly calls: BucketLimits
  /** Instances that the requests make, or end: EC2 counts them besides, in a bucket of their own. */
  readonly instances?: BucketLimits
  readonly priority: Priority
}

const per = (burst: number, perSecond: number): BucketLimits => ({ burst, perSecond })

/** As long as each of our lists and looks carries a filter or MaxResults; without either EC2 grants half of it. */
const look: ActionLimits = { calls: per(100, 20), priority: 'describe' }

/**
 * What EC2 grants an account in a region, action by action: each action has its own bucket.
 * https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
 */
const limits: Readonly<Record<Ec2Action, ActionLimits>> = {
  RunInstances: { calls: per(5, 2), instances: per(1000, 2), priority: 'launch' },
  TerminateInstances: { calls: per(100, 5), instances: per(1000, 20), priority: 'terminate' },
  DescribeInstances: look,
  DescribeImages: look,
  DescribeInstanceTypes: look,
  DescribeInstanceTypeOfferings: look,
  DescribeSecurityGroups: look,
  DescribeSubnets: look,
}

const instancesOf = (action: string) => `${action} instances`

/** The buckets of one account and region, for its limiter. */
export const ec2Buckets: Readonly<Record<string, BucketLimits>> = Object.fromEntries(
  Object.entries(limits).flatMap(([action, { calls, instances }]) => [
    [action, calls] as const,
    ...(instances ? [[instancesOf(action), instances] as const] : []),
  ]),
)

/** A caller that holds a worker waits for so many tokens of a bucket, and never longer than this. */
const tokensWaitedFor = 4
const longestWaitMs = 2_000

export interface WantedTurn {
  readonly action: Ec2Action
  /** For whom: the attempt's token. A caller that is sent away and comes back with it has kept its place. */
  readonly key?: string
  /** The tenant, for calls that wait for each other. */
  readonly whose?: string
  /** `Infinity` for a caller that holds no worker, like a poller. */
  readonly maxWaitMs?: number
}

/** What a call has to wait for. */
export function turnFor({ action, key, whose, maxWaitMs }: WantedTurn): Turn {
  const { calls, instances, priority } = limits[action]
  return {
    bucket: action,
    // We make and end one at a time.
    ...(instances ? { also: { [instancesOf(action)]: 1 } } : {}),
    priority,
    ...(key === undefined ? {} : { key }),
    ...(whose === undefined ? {} : { whose }),
    maxWaitMs: maxWaitMs ?? Math.min(longestWaitMs, (tokensWaitedFor / calls.perSecond) * 1000),
  }
}
