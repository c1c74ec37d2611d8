import type { Clock } from '../../../../api/ctx.ts'
import type { BucketTableName } from '../../kit/control/bucket-control.ts'
import { SwitchedBuckets } from '../../kit/http/switched-buckets.ts'
import type { BucketSize } from '../../kit/http/token-bucket.ts'
import { ArmError } from './errors.ts'

/** How often a subscription may call. What is left out has no bucket. */
export type BucketTable = Readonly<Partial<Record<BucketName, BucketSize>>>

export type BucketName = FrontDoorBucket | ComputeBucket | NetworkBucket

/** Of Azure's front door, for every call. */
type FrontDoorBucket = 'reads' | 'writes' | 'deletes'
/** Of the compute provider: for the region, or for one machine. */
type ComputeBucket =
  | `${'PutVM' | 'UpdateVM' | 'DeleteVM' | 'LowCostGetVM' | 'HighCostGetVM' | 'GetOperation'}Subscription`
  | `${'PutVM' | 'UpdateVM' | 'DeleteVM' | 'LowCostGetVM' | 'GetOperation'}Machine`
type NetworkBucket = 'NetworkReads' | 'NetworkWrites'

/** As the compute provider documents them: what flows in each minute, and the most that there can be. */
function perMinute(flow: number, most: number): BucketSize {
  return { most, perSecond: flow / 60 }
}

/** What a subscription gets that has asked for nothing more, in each region. */
export const realBuckets: BucketTable = {
  reads: { most: 250, perSecond: 25 },
  writes: { most: 200, perSecond: 10 },
  deletes: { most: 200, perSecond: 10 },
  PutVMSubscription: perMinute(500, 1500),
  UpdateVMSubscription: perMinute(500, 1500),
  DeleteVMSubscription: perMinute(500, 1500),
  LowCostGetVMSubscription: perMinute(8000, 24_000),
  HighCostGetVMSubscription: perMinute(300, 900),
  GetOperationSubscription: perMinute(5000, 15_000),
  PutVMMachine: perMinute(4, 12),
  UpdateVMMachine: perMinute(4, 12),
  DeleteVMMachine: perMinute(4, 12),
  LowCostGetVMMachine: perMinute(12, 36),
  GetOperationMachine: perMinute(15, 45),
  NetworkReads: { most: 10_000, perSecond: 10_000 / 300 },
  NetworkWrites: { most: 1000, perSecond: 1000 / 300 },
}

const bucketTables: Readonly<Record<BucketTableName, BucketTable>> = { real: realBuckets, none: {} }

/** Azure's words for too many calls, as a fault. */
export const tooManyRequests = {
  code: 'TooManyRequests',
  message: 'The server rejected the request because too many requests have been received for this subscription.',
  status: 429,
} as const

/** The buckets of one subscription in one region. */
export class Buckets extends SwitchedBuckets<BucketTable> {
  constructor(clock: Clock, table: BucketTableName | BucketTable) {
    super(clock, bucketTables, table)
  }

  /** One call. `about`: the machine or the operation that it is about. */
  admit(method: string, names: readonly BucketName[], about: string): void {
    for (const name of [frontDoor(method), ...names]) this.#take(name, keyOf(name, about))
  }

  /** What is left to the caller who was let in, as headers say it; they say nothing of what has no bucket. */
  remaining(method: string, names: readonly BucketName[], about: string): Readonly<Record<string, string>> {
    const level = (name: BucketName) => this.buckets.level(keyOf(name, about))
    const door = frontDoor(method)
    const headers: Record<string, string> = {}
    if (level(door) < Infinity) headers[`x-ms-ratelimit-remaining-subscription-${door}`] = whole(level(door))
    // Whatever a call takes of the compute provider has one name there.
    const [first, ...others] = names.filter((name) => !name.startsWith('Network'))
    if (first === undefined) return headers
    const least = Math.min(level(first), ...others.map(level))
    if (least < Infinity) headers[resourceHeader] = `${groupOf(first)};${whole(least)}`
    return headers
  }

  #take(name: BucketName, key: string): void {
    const refused = this.buckets.take(key, this.table[name])
    if (refused) throw refusal(name, refused.most, Math.max(1, Math.ceil(refused.waitMs / 1000)))
  }
}

function keyOf(name: BucketName, about: string): string {
  return name.endsWith('Machine') ? `${name} ${about.toLowerCase()}` : name
}

const resourceHeader = 'x-ms-ratelimit-remaining-resource'

/** As the compute provider calls the bucket to its callers. */
function groupOf(name: BucketName): string {
  return `Microsoft.Compute/${name.replace(/(Subscription|Machine)$/, '3Min')}`
}

function whole(left: number): string {
  return String(Math.floor(left))
}

function frontDoor(method: string): FrontDoorBucket {
  if (method === 'GET' || method === 'HEAD') return 'reads'
  return method === 'DELETE' ? 'deletes' : 'writes'
}

/** Each part of Azure says it in its own way. */
function refusal(name: BucketName, most: number, waitS: number): ArmError {
  const headers = { 'retry-after': String(waitS) }
  if (name === 'reads' || name === 'writes' || name === 'deletes') {
    const message = `Number of '${name}' for the subscription exceeded. Please try again after '${waitS}' seconds.`
    return new ArmError('SubscriptionRequestsThrottled', message, { status: 429, headers })
  }
  if (name.startsWith('Network')) {
    const message = 'Operation has been throttled. Retry after the time that the Retry-After header says.'
    return new ArmError('RetryableErrorDueToTooManyCalls', message, { status: 429, headers })
  }
  const group = name.replace(/(Subscription|Machine)$/, '3Min')
  const details = JSON.stringify({ operationGroup: group, allowedRequestCount: most, measuredRequestCount: most + 1 })
  return new ArmError('OperationNotAllowed', tooManyRequests.message, {
    status: 429,
    headers: { ...headers, [resourceHeader]: `${groupOf(name)};0` },
    details: [{ code: 'TooManyRequests', target: group, message: details }],
  })
}
