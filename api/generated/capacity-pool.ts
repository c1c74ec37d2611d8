/* Made from crds/CapacityPool.yaml by `npm run generate`. Edits here are lost. */
import type { ObjectMeta } from '../meta.ts'

/**
 * CapacityPool shows what the clouds answered lately to requests for one offering: an instance type in a zone, as spot or on demand. The manager writes it. Deleting it forgets its pause, so that waiting Machines ask again. It goes after a week without use.
 */
export interface CapacityPool {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'CapacityPool'
  metadata: ObjectMeta
  spec: CapacityPoolSpec
  status?: CapacityPoolStatus
}
/**
 * The offering.
 */
export interface CapacityPoolSpec {
  /**
   * The cloud.
   */
  cloud: string
  /**
   * The region.
   */
  region: string
  /**
   * How it is bought.
   */
  capacityType: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The instance type, VM size, machine type or profile.
   */
  instanceType: string
  /**
   * The zone. Empty where the request names none.
   */
  zone: string
}
/**
 * The manager writes it. Managers of the same management cluster have an entry each.
 */
export interface CapacityPoolStatus {
  summary?: CapacityPoolSummary
  /**
   * What each manager has seen in each account.
   *
   * @maxItems 64
   */
  managers?: CapacityPoolManager[]
}
/**
 * All entries together: the worst state, and the rate of interruptions over all. Managers that see the same entries write the same.
 */
export interface CapacityPoolSummary {
  /**
   * Open, Closed, Avoided or Unknown. Avoided means that it took an instance back minutes ago.
   */
  state?: 'Open' | 'Closed' | 'Avoided' | 'Unknown'
  /**
   * Why it is closed.
   */
  reason?: 'InsufficientCapacity' | 'MaxPriceTooLow' | 'QuotaExceeded' | 'StartTimeout'
  /**
   * How many refusals in a row made the pause longer. Refusals during a pause count once.
   */
  failures?: number
  /**
   * The end of the pause. Then one Machine asks again.
   */
  nextProbe?: string
  /**
   * When it was refused last.
   */
  lastRefusal?: string
  /**
   * When an instance of it last began to run.
   */
  lastSuccess?: string
  /**
   * When the cloud last took an instance of it back, or announced that.
   */
  lastInterruption?: string
  /**
   * When a person deleted this object. Refusals before that do not count.
   */
  forgottenAt?: string
  /**
   * Interruptions per 1,000 hours of running instances. Left out below 10 hours.
   */
  interruptionsPer1000Hours?: number
}
export interface CapacityPoolManager {
  /**
   * The Lease of the manager, as namespace/name.
   */
  manager: string
  /**
   * A digest of account and region. It tells accounts apart and names none.
   */
  account: string
  /**
   * Open, Closed, Avoided or Unknown. Avoided means that it took an instance back minutes ago.
   */
  state: 'Open' | 'Closed' | 'Avoided' | 'Unknown'
  /**
   * Why it is closed.
   */
  reason?: 'InsufficientCapacity' | 'MaxPriceTooLow' | 'QuotaExceeded' | 'StartTimeout'
  /**
   * How many refusals in a row made the pause longer. Refusals during a pause count once.
   */
  failures?: number
  /**
   * The end of the pause. Then one Machine asks again.
   */
  nextProbe?: string
  /**
   * When it was refused last.
   */
  lastRefusal?: string
  /**
   * When an instance of it last began to run.
   */
  lastSuccess?: string
  /**
   * When the cloud last took an instance of it back, or announced that.
   */
  lastInterruption?: string
  /**
   * When a person deleted this object. Refusals before that do not count.
   */
  forgottenAt?: string
  /**
   * When a Machine last used it. Written at most once an hour.
   */
  lastUsed?: string
  /**
   * When that instance was requested.
   */
  lastSuccessRequested?: string
  /**
   * How many instances the cloud took back until countedUntil.
   */
  interruptions?: number
  /**
   * How long instances ran until countedUntil, all together.
   */
  instanceSeconds?: number
  /**
   * The time until which interruptions and instance seconds are counted.
   */
  countedUntil?: string
}
