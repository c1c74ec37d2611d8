import type { BucketLimits } from '../../wire/bucket.ts'
import type { Turn } from '../../wire/limiter.ts'
import { turnsOf, type Needs, type WantedTurn } from '../../wire/call-line.ts'
import type { ArmAction } from './actions.ts'

const per = (burst: number, perSecond: number): BucketLimits => ({ burst, perSecond })
const perMinute = (burst: number, refill: number): BucketLimits => per(burst, refill / 60)

/**
 * The limits of Azure for a subscription in a region. Its front door counts every call, then each provider counts its
 * own: https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
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

/** An action that has a turn of its own: a call, or a launch, which is two calls. */
export type TurnAction = ArmAction | 'Launch'

const look = (bucket: Bucket): Needs<Bucket> => ({
  bucket,
  also: bucket === 'reads' ? {} : { reads: 1 },
  priority: 'describe',
})

const needs: Readonly<Record<TurnAction, Needs<Bucket>>> = {
  // Takes the tokens of both calls at once: no network interface is made whose machine then waits for its turn.
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

/** The tokens and the wait of an action. */
export const turnFor: (wanted: WantedTurn<TurnAction>) => Turn = turnsOf({
  buckets: armBuckets,
  needsOf: (action: TurnAction) => needs[action],
})
