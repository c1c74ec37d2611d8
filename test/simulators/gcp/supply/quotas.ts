import type { InsertPlan } from '../instances/instance.ts'
import type { Instances } from '../instances/instances.ts'

export const quotaMetrics = ['CPUS', 'PREEMPTIBLE_CPUS', 'INSTANCES'] as const
export type QuotaMetric = (typeof quotaMetrics)[number]

/** How much of something the project may have in each region. */
export interface Quota {
  readonly metric: QuotaMetric
  readonly limit: number
  /** Refused at once with a 403; left out: accepted, and the operation fails later. */
  readonly synchronous?: boolean
}

/** Limits where there are any. How much is used is counted, never kept. */
export class Quotas {
  readonly #instances: Instances
  readonly #byMetric = new Map<QuotaMetric, Quota>()

  constructor(instances: Instances) {
    this.#instances = instances
  }

  get all(): readonly Quota[] {
    return [...this.#byMetric.values()]
  }

  set(quota: Quota): void {
    this.#byMetric.set(quota.metric, quota)
  }

  lift(metric: QuotaMetric): void {
    this.#byMetric.delete(metric)
  }

  used(metric: QuotaMetric, region: string): number {
    return this.#instances
      .visible()
      .filter(({ plan, status }) => plan.zone.region === region && status !== 'TERMINATED')
      .reduce((sum, { plan }) => sum + (metricOf(plan, this.#byMetric).has(metric) ? costOf(metric, plan) : 0), 0)
  }

  /** The quota that an instance would exceed. */
  exceededBy(plan: InsertPlan): Quota | undefined {
    const metrics = metricOf(plan, this.#byMetric)
    return this.all.find(
      ({ metric, limit }) => metrics.has(metric) && this.used(metric, plan.zone.region) + costOf(metric, plan) > limit,
    )
  }
}

/** Spot instances use the quota of their own where the project has one, else the usual one. */
function metricOf({ scheduling }: InsertPlan, known: ReadonlyMap<QuotaMetric, Quota>): ReadonlySet<QuotaMetric> {
  const cpus = scheduling.isSpot && known.has('PREEMPTIBLE_CPUS') ? 'PREEMPTIBLE_CPUS' : 'CPUS'
  return new Set([cpus, 'INSTANCES'] as const)
}

function costOf(metric: QuotaMetric, { machineType }: InsertPlan): number {
  return metric === 'INSTANCES' ? 1 : machineType.cpus
}
