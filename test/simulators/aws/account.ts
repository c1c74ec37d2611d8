import type { Clock } from '../../../api/ctx.ts'
import type { Capacity } from './capacity.ts'
import type { Instances } from './instances.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { World } from './world.ts'

/** All that an action may look at and change. */
export interface Account {
  readonly world: World
  readonly instances: Instances
  readonly lifecycle: Lifecycle
  readonly capacity: Capacity
  readonly clock: Clock
}
