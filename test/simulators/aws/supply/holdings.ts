import type { Holding } from '../../kit/supply/capacity.ts'
import type { Instances } from '../instances/instances.ts'
import { holdsCapacity } from './reservations.ts'

/** What the instances of the account take of EC2's capacity; what is reserved is kept apart. */
export function* holdings(instances: Instances): Iterable<Holding> {
  for (const { instance } of instances.histories()) {
    const { type, subnet, spot, reservation } = instance.plan
    if (!holdsCapacity(instance) || reservation) continue
    const offering = { instanceType: type.name, zone: subnet.zone.name, market: spot ? 'spot' : 'on-demand' } as const
    yield { instance, offering }
  }
}
