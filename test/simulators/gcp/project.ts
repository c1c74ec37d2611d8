import type { Clock } from '../../../api/ctx.ts'
import type { Spoils } from '../kit/spoils.ts'
import type { Buckets } from './buckets.ts'
import type { Capacity } from '../kit/capacity.ts'
import type { GceHole } from './capacity.ts'
import type { Credentials } from './credentials.ts'
import type { Disks } from './disks.ts'
import type { Instances } from './instances.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { OperationFaults } from './operation-faults.ts'
import type { Operations } from './operations.ts'
import type { Quotas } from './quotas.ts'
import type { Reservations } from './reservations.ts'
import type { GceSight } from './sight.ts'
import type { World } from './world.ts'

/** All that a call may look at and change. */
export interface Project {
  readonly world: World
  readonly instances: Instances
  readonly disks: Disks
  readonly operations: Operations
  /** Operations that are to fail because somebody wants it. */
  readonly operationFaults: OperationFaults
  /** How instances look to whoever asks for them. */
  readonly sight: GceSight
  readonly lifecycle: Lifecycle
  readonly capacity: Capacity<GceHole>
  readonly quotas: Quotas
  readonly reservations: Reservations
  readonly buckets: Buckets
  readonly credentials: Credentials
  readonly spoils: Spoils
  readonly clock: Clock
}
