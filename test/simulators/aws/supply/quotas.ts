import { Ec2Error } from '../http/errors.ts'
import type { LaunchPlan } from '../instances/instance.ts'
import type { Instances } from '../instances/instances.ts'
import type { QuotaName } from './instance-types.ts'
import { holdsCapacity } from './reservations.ts'

export const quotaMarkets = ['spot', 'on-demand'] as const
export type QuotaMarket = (typeof quotaMarkets)[number]

export interface Quota {
  readonly name: QuotaName
  readonly market: QuotaMarket
  /** Processors. */
  readonly limit: number
}

type Launched = Pick<LaunchPlan, 'type' | 'spot' | 'count'>

/** How many processors the account may have of each family of types, in each market. How many it has is counted. */
export class Quotas {
  readonly #instances: Instances
  readonly #limits = new Map<string, Quota>()

  constructor(instances: Instances) {
    this.#instances = instances
  }

  get all(): readonly Quota[] {
    return [...this.#limits.values()]
  }

  set(quota: Quota): void {
    this.#limits.set(`${quota.market} ${quota.name}`, quota)
  }

  /** What is reserved counts as well, as what is on demand. */
  check(launch: Launched): void {
    const market = marketOf(launch)
    const quota = this.#limits.get(`${market} ${launch.type.quota}`)
    if (!quota || this.#used(quota) + launch.type.cpus * launch.count.min <= quota.limit) return
    throw market === 'spot'
      ? new Ec2Error('MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded')
      : new Ec2Error(
          'VcpuLimitExceeded',
          `You have requested more vCPU capacity than your current vCPU limit of ${quota.limit} allows for the instance ` +
            'bucket that the specified instance type belongs to. Please visit ' +
            'http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.',
        )
  }

  #used({ name, market }: Quota): number {
    return this.#instances
      .histories()
      .filter(({ instance }) => holdsCapacity(instance))
      .map(({ instance }) => instance.plan)
      .filter((plan) => plan.type.quota === name && marketOf(plan) === market)
      .reduce((sum, { type }) => sum + type.cpus, 0)
  }
}

function marketOf({ spot }: Pick<LaunchPlan, 'spot'>): QuotaMarket {
  return spot ? 'spot' : 'on-demand'
}
