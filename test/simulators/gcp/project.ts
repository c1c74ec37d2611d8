import type { Clock } from '../../../api/ctx.ts'
import type { Spoils } from '../kit/faults/spoils.ts'
import type { Buckets } from './http/buckets.ts'
import type { Capacity } from '../kit/supply/capacity.ts'
import type { GceHole } from './supply/capacity.ts'
import type { Credentials } from './http/credentials.ts'
import type { Disks } from './instances/disks.ts'
import type { Instances } from './instances/instances.ts'
import type { Lifecycle } from './instances/lifecycle.ts'
import type { OperationFaults } from './supply/operation-faults.ts'
import type { Operations } from './http/operations.ts'
import type { Quotas } from './supply/quotas.ts'
import type { Reservations } from './supply/reservations.ts'
import type { GceSight } from './instances/sight.ts'
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
