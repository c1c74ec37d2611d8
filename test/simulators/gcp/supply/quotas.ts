import type { InsertPlan } from '../instances/instance.ts'
import type { Instances } from '../instances/instances.ts'

/** Processors of the oldest series together, of others each by itself, and accelerators by model. */
export const quotaMetrics = [
  'CPUS',
  'N2_CPUS',
  'N2D_CPUS',
  'C3_CPUS',
  'NVIDIA_L4_GPUS',
  'PREEMPTIBLE_CPUS',
  'PREEMPTIBLE_NVIDIA_L4_GPUS',
  'INSTANCES',
] as const
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
      .reduce((sum, { plan }) => sum + (costsOf(plan, this.#byMetric).get(metric) ?? 0), 0)
  }

  /** The quota that an instance would exceed. */
  exceededBy(plan: InsertPlan): Quota | undefined {
    const costs = costsOf(plan, this.#byMetric)
    return this.all.find(({ metric, limit }) => {
      const cost = costs.get(metric)
      return cost !== undefined && this.used(metric, plan.zone.region) + cost > limit
    })
  }
}

const l4 = 'nvidia-l4'
/** Series that have no quota of their own. */
const shared = new Set(['e2', 'f1', 'g1', 'n1', 'custom'])
const ownQuotas: Readonly<Record<string, QuotaMetric>> = { n2: 'N2_CPUS', n2d: 'N2D_CPUS', c3: 'C3_CPUS' }

/** What an instance costs. Of spot it uses the quotas of its own where the project has them, else the usual ones. */
function costsOf(
  { machineType, accelerators, scheduling }: InsertPlan,
  known: ReadonlyMap<QuotaMetric, Quota>,
): ReadonlyMap<QuotaMetric, number> {
  const either = (usual: QuotaMetric | undefined, ofSpot: QuotaMetric) =>
    scheduling.isSpot && known.has(ofSpot) ? ofSpot : usual
  const [series = ''] = machineType.name.split('-')
  const gpus = [...machineType.accelerators, ...accelerators].filter(({ type }) => type === l4)
  const ofCpus = either(shared.has(series) ? 'CPUS' : ownQuotas[series], 'PREEMPTIBLE_CPUS')
  const costs = new Map<QuotaMetric, number>([['INSTANCES', 1]])
  if (ofCpus) costs.set(ofCpus, machineType.cpus)
  const count = gpus.reduce((sum, gpu) => sum + gpu.count, 0)
  if (count > 0) costs.set(either('NVIDIA_L4_GPUS', 'PREEMPTIBLE_NVIDIA_L4_GPUS') ?? 'NVIDIA_L4_GPUS', count)
  return costs
}
