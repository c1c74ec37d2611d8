import type { BucketLimits } from '../../wire/bucket.ts'
import type { Priority, Turn } from '../../wire/limiter.ts'
import type { ArmAction } from './actions.ts'

const per = (burst: number, perSecond: number): BucketLimits => ({ burst, perSecond })
const perMinute = (burst: number, refill: number): BucketLimits => per(burst, refill / 60)

/**
 * What Azure grants a subscription in a region. Its front door counts every call, then each provider its own:
 * https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 * https://learn.microsoft.com/azure/virtual-machines/compute-throttling-limits
 */
export const armBuckets = {
  reads: per(250, 25),
  writes: per(200, 10),
  deletes: per(200, 10),
  PutVM: perMinute(1500, 500),
  DeleteVM: perMinute(1500, 500),
  LowCostGetVM: perMinute(24_000, 8_000),
  HighCostGetVM: perMinute(900, 300),
  NetworkReads: per(10_000, 10_000 / 300),
  NetworkWrites: per(1_000, 1_000 / 300),
} as const satisfies Readonly<Record<string, BucketLimits>>

type Bucket = keyof typeof armBuckets

interface Needs {
  readonly bucket: Bucket
  readonly also?: Readonly<Partial<Record<Bucket, number>>>
  readonly priority: Priority
}

/** What has a turn of its own: a call, or a launch, which is two calls. */
export type Errand = ArmAction | 'Launch'

const look = (bucket: Bucket): Needs => ({ bucket, also: bucket === 'reads' ? {} : { reads: 1 }, priority: 'describe' })

const needs: Readonly<Record<Errand, Needs>> = {
  // Both tokens at once: no network interface is made whose machine then waits for its turn.
  Launch: { bucket: 'PutVM', also: { NetworkWrites: 1, writes: 2 }, priority: 'launch' },
  VirtualMachines_CreateOrUpdate: { bucket: 'PutVM', also: { writes: 1 }, priority: 'launch' },
  VirtualMachines_Get: look('LowCostGetVM'),
  VirtualMachines_Delete: { bucket: 'DeleteVM', also: { deletes: 1 }, priority: 'terminate' },
  VirtualMachines_ListAll: look('HighCostGetVM'),
  VirtualMachineExtensions_CreateOrUpdate: { bucket: 'PutVM', also: { writes: 1 }, priority: 'launch' },
  VirtualMachineExtensions_List: look('LowCostGetVM'),
  NetworkInterfaces_CreateOrUpdate: { bucket: 'NetworkWrites', also: { writes: 1 }, priority: 'launch' },
  NetworkInterfaces_Get: look('NetworkReads'),
  NetworkInterfaces_Delete: { bucket: 'NetworkWrites', also: { deletes: 1 }, priority: 'terminate' },
  NetworkInterfaces_ListAll: look('NetworkReads'),
  Disks_List: look('reads'),
  Disks_ListByResourceGroup: look('reads'),
  Disks_Delete: { bucket: 'deletes', priority: 'terminate' },
  ResourceSkus_List: look('reads'),
}

/** The most tokens of a bucket that one turn takes. */
export const leastBursts: Readonly<Record<string, number>> = Object.values(needs).reduce<Record<string, number>>(
  (most, { also = {} }) => {
    for (const [name, tokens] of Object.entries(also)) most[name] = Math.max(most[name] ?? 1, tokens)
    return most
  },
  {},
)

/** A caller that holds a worker waits for so many tokens of the slowest bucket, and never longer than this. */
const turnsWaitedFor = 4
const longestWaitMs = 2_000

export interface WantedTurn {
  readonly errand: Errand
  /** For whom: the attempt's token. A caller that is sent away and comes back with it has kept its place. */
  readonly key?: string
  /** The tenant, for calls that wait for each other. */
  readonly whose?: string
  /** `Infinity` for a caller that holds no worker, like a poller. */
  readonly maxWaitMs?: number
}

/** What a call has to wait for. */
export function turnFor({ errand, key, whose, maxWaitMs }: WantedTurn): Turn {
  const { bucket, also, priority } = needs[errand]
  return {
    bucket,
    ...(also ? { also } : {}),
    priority,
    ...(key === undefined ? {} : { key }),
    ...(whose === undefined ? {} : { whose }),
    maxWaitMs: maxWaitMs ?? Math.min(longestWaitMs, turnsWaitedFor * msForOne(needs[errand])),
  }
}

function msForOne({ bucket, also = {} }: Needs): number {
  const takes = Object.entries({ [bucket]: 1, ...also }) as [Bucket, number][]
  return Math.max(...takes.map(([name, tokens]) => (tokens / armBuckets[name].perSecond) * 1000))
}
