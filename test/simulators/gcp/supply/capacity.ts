import type { CapacityHole, Holding } from '../../kit/supply/capacity.ts'
import type { Instances } from '../instances/instances.ts'

/** Where GCE has nothing to give. */
export interface GceHole extends CapacityHole {
  /** Refused at once with a 503; left out: accepted, and the operation fails later, as is usual. */
  readonly synchronous?: boolean
}

/** What the instances of the project take of GCE's capacity; what is reserved is kept apart. */
export function* holdings(instances: Instances): Iterable<Holding> {
  for (const { instance } of instances.histories()) {
    const { plan, status, goneAt } = instance
    if (goneAt !== undefined || status === 'TERMINATED' || plan.reservation) continue
    const market = plan.scheduling.isSpot ? 'spot' : 'on-demand'
    yield { instance, offering: { instanceType: plan.machineType.name, zone: plan.zone.name, market } }
  }
}
