import type { Clock } from '../../../api/ctx.ts'
import type { Spoils } from '../kit/faults/spoils.ts'
import type { Buckets } from './http/buckets.ts'
import type { Capacity } from '../kit/supply/capacity.ts'
import type { Instances } from './instances/instances.ts'
import type { Lifecycle } from './instances/lifecycle.ts'
import type { Queues } from './queue/queues.ts'
import type { Quotas } from './supply/quotas.ts'
import type { Reservations } from './supply/reservations.ts'
import type { Ec2Sight } from './instances/sight.ts'
import type { SpotMarket } from './supply/spot-market.ts'
import type { World } from './world.ts'

/** All that an action may look at and change. */
export interface Account {
  readonly world: World
  readonly instances: Instances
  /** How instances look to whoever asks for them. */
  readonly sight: Ec2Sight
  readonly lifecycle: Lifecycle
  readonly capacity: Capacity
  readonly quotas: Quotas
  readonly market: SpotMarket
  readonly reservations: Reservations
  readonly queues: Queues
  readonly buckets: Buckets
  readonly spoils: Spoils
  readonly clock: Clock
}
