import type { BucketLimits } from '../wire/bucket.ts'
import type { Priority, Turn } from '../wire/limiter.ts'

interface ActionLimits {
  /** Requests. */
  readonly calls: BucketLimits
  /** Instances that the requests make, start, stop or end: EC2 counts them besides, in a bucket of their own. */
  readonly instances?: BucketLimits
  readonly priority: Priority
}

const per = (burst: number, perSecond: number): BucketLimits => ({ burst, perSecond })

/** As long as each of our lists and looks carries a filter or MaxResults; without either EC2 grants half of it. */
const look: ActionLimits = { calls: per(100, 20), priority: 'describe' }
const change: ActionLimits = { calls: per(50, 5), priority: 'launch' }

/**
 * What EC2 grants an account in a region, action by action: each action has its own bucket.
 * https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
 */
const limits: Readonly<Record<string, ActionLimits>> = {
  RunInstances: { calls: per(5, 2), instances: per(1000, 2), priority: 'launch' },
  TerminateInstances: { calls: per(100, 5), instances: per(1000, 20), priority: 'terminate' },
  CancelSpotInstanceRequests: { calls: per(50, 5), priority: 'terminate' },
  CreateTags: { calls: per(100, 10), priority: 'launch' },
  DeleteTags: { calls: per(100, 10), priority: 'launch' },
  ModifyInstanceMetadataOptions: { calls: per(100, 5), priority: 'launch' },
  CreateNetworkInterface: { calls: per(100, 5), priority: 'launch' },
  CreateLaunchTemplateVersion: { calls: per(100, 5), priority: 'launch' },
  DescribeCapacityBlockOfferings: { calls: per(10, 0.15), priority: 'describe' },
  PurchaseCapacityBlock: { calls: per(10, 0.15), priority: 'launch' },
  DescribeInstances: look,
  DescribeInstanceTypes: look,
  DescribeInstanceTypeOfferings: look,
  DescribeImages: look,
  DescribeSubnets: look,
  DescribeSecurityGroups: look,
  DescribeAvailabilityZones: look,
  DescribeCapacityReservations: look,
  DescribeSpotInstanceRequests: look,
  DescribeSpotPriceHistory: look,
  DescribeVolumes: look,
}

/** Actions that have no row share these two: less than EC2 grants them. */
const otherLook = 'other Describe'
const otherChange = 'other'

const instancesOf = (action: string) => `${action} instances`

/** The buckets of one account and region, for its limiter. */
export const ec2Buckets: Readonly<Record<string, BucketLimits>> = {
  [otherLook]: look.calls,
  [otherChange]: change.calls,
  ...Object.fromEntries(
    Object.entries(limits).flatMap(([action, { calls, instances }]) => [
      [action, calls] as const,
      ...(instances ? [[instancesOf(action), instances] as const] : []),
    ]),
  ),
}

/** A caller that holds a worker waits for so many tokens of a bucket, and never longer than this. */
const tokensWaitedFor = 4
const longestWaitMs = 2_000

export interface WantedTurn {
  readonly action: string
  /** How many instances it makes or ends. 1 unless told. */
  readonly instances?: number
  /** For whom: the attempt's token. A caller that is sent away and comes back with it has kept its place. */
  readonly key?: string
  /** `Infinity` for a caller that holds no worker, like a poller. */
  readonly maxWaitMs?: number
}

/** What a call has to wait for. */
export function turnFor({ action, instances = 1, key, maxWaitMs }: WantedTurn): Turn {
  const isLook = /^(Describe|Get)/.test(action)
  const row = limits[action] ?? (isLook ? look : change)
  return {
    bucket: limits[action] ? action : isLook ? otherLook : otherChange,
    ...(row.instances ? { also: { [instancesOf(action)]: instances } } : {}),
    priority: row.priority,
    ...(key === undefined ? {} : { key }),
    maxWaitMs: maxWaitMs ?? Math.min(longestWaitMs, (tokensWaitedFor / row.calls.perSecond) * 1000),
  }
}
