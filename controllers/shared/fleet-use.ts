import type { Cloud } from '../../providers/cloud.ts'
import type { Fleet } from '../../providers/fleet/fleet.ts'
import type { Fleets } from '../../providers/fleet/fleets.ts'
import type { Scope } from '../../api/scope.ts'

/** How a controller gets at fleets, and is counted among those who use them. */
export interface FleetUse {
  /** `user`: the key of the object for which it is used from now on. */
  readonly fleetOf: (scope: Scope, cloud: Cloud, user: string) => Fleet
  /** The object is gone. */
  readonly leaveFleet: (user: string) => void
}

/** For the objects of one kind: a machine and an infrastructure cluster may have the same name. */
export function fleetUse(fleets: Pick<Fleets, 'of' | 'leave'>, kind: string): FleetUse {
  return {
    fleetOf: (scope, { instances }, user) => fleets.of(scope, instances, `${kind} ${user}`),
    leaveFleet: (user) => fleets.leave(`${kind} ${user}`),
  }
}
