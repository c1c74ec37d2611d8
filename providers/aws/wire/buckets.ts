import type { BucketLimits } from '../../wire/bucket.ts'
import type { Priority, Turn } from '../../wire/limiter.ts'
import { turnsOf, type Needs, type WantedTurn } from '../../wire/call-line.ts'

/** Our calls, by EC2's own names. Each has its own bucket. */
export type Ec2Action =
  | 'RunInstances'
  | 'TerminateInstances'
  | 'DescribeInstances'
  | 'DescribeInstanceStatus'
  | 'DescribeImages'
  | 'DescribeInstanceTypes'
  | 'DescribeInstanceTypeOfferings'
  | 'DescribeSecurityGroups'
  | 'DescribeSpotInstanceRequests'
  | 'DescribeSubnets'

interface ActionLimits {
  /** Requests. */
  readonly calls: BucketLimits
  /** Instances that the requests make or end: EC2 counts them in buckets of their own. */
  readonly instances?: BucketLimits
  readonly priority: Priority
}

const per = (burst: number, perSecond: number): BucketLimits => ({ burst, perSecond })

/** With a filter or MaxResults in each list and look; without either EC2 grants half of it. */
const look: ActionLimits = { calls: per(100, 20), priority: 'describe' }

/**
 * The limits of EC2 for an account in a region. Each action has its own bucket.
 * https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
 */
const limits: Readonly<Record<Ec2Action, ActionLimits>> = {
  RunInstances: { calls: per(5, 2), instances: per(1000, 2), priority: 'launch' },
  TerminateInstances: { calls: per(100, 5), instances: per(1000, 20), priority: 'terminate' },
  DescribeInstances: look,
  DescribeInstanceStatus: look,
  DescribeImages: look,
  DescribeInstanceTypes: look,
  DescribeInstanceTypeOfferings: look,
  DescribeSecurityGroups: look,
  DescribeSpotInstanceRequests: look,
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

/** The tokens and the wait of a call. We make and end one instance at a time. */
export const turnFor: (wanted: WantedTurn<Ec2Action>) => Turn = turnsOf({ buckets: ec2Buckets, needsOf })

function needsOf(action: Ec2Action): Needs {
  const { instances, priority } = limits[action]
  return { bucket: action, ...(instances ? { also: { [instancesOf(action)]: 1 } } : {}), priority }
}
