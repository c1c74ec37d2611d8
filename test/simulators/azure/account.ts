import type { Clock } from '../../../api/ctx.ts'
import type { Spoils } from '../kit/spoils.ts'
import type { Authority } from './authority.ts'
import type { Buckets } from './buckets.ts'
import type { Capacity } from '../kit/capacity.ts'
import type { ArmHole } from './capacity.ts'
import type { Disks } from './disks.ts'
import type { Instance } from './instance.ts'
import type { Interfaces } from './interfaces.ts'
import type { Launches } from './launches.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Operations } from './operations.ts'
import type { PublicAddresses } from './public-addresses.ts'
import type { Quotas } from './quotas.ts'
import type { Shelf } from './resources.ts'
import type { ArmSight } from './sight.ts'
import type { SpotMarket } from './spot-market.ts'
import type { StatusList } from './status-list.ts'
import type { World } from './world.ts'

/** All that a call may look at and change. */
export interface Account {
  readonly world: World
  readonly authority: Authority
  readonly instances: Shelf<Instance>
  readonly interfaces: Interfaces
  readonly publicAddresses: PublicAddresses
  readonly disks: Disks
  readonly operations: Operations
  /** How resources look to whoever lists them. */
  readonly sight: ArmSight
  /** How the list of states alone looks. */
  readonly statusList: StatusList
  readonly lifecycle: Lifecycle
  readonly capacity: Capacity<ArmHole>
  /** What is to become of the next machines that are accepted. */
  readonly launches: Launches
  readonly quotas: Quotas
  readonly market: SpotMarket
  readonly buckets: Buckets
  readonly spoils: Spoils
  readonly clock: Clock
  /** From a simulated eviction to its effect. */
  readonly evictionNoticeMs: number
  /** How many resources stand on one page of a list. */
  readonly pageSize: number
}
