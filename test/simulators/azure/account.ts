import type { Clock } from '../../../api/ctx.ts'
import type { Spoils } from '../kit/faults/spoils.ts'
import type { Authority } from './http/authority.ts'
import type { Buckets } from './http/buckets.ts'
import type { Capacity } from '../kit/supply/capacity.ts'
import type { ArmHole } from './supply/capacity.ts'
import type { Disks } from './instances/disks.ts'
import type { Instance } from './instances/instance.ts'
import type { Interfaces } from './instances/interfaces.ts'
import type { Launches } from './supply/launches.ts'
import type { Lifecycle } from './instances/lifecycle.ts'
import type { Operations } from './http/operations.ts'
import type { PublicAddresses } from './instances/public-addresses.ts'
import type { Quotas } from './supply/quotas.ts'
import type { Shelf } from './instances/resources.ts'
import type { ArmSight } from './instances/sight.ts'
import type { SpotMarket } from './supply/spot-market.ts'
import type { StatusList } from './instances/status-list.ts'
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
