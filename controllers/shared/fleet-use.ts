import type { Fleet } from '../../providers/fleet/fleet.ts'
import type { Fleets, WatchedCloud } from '../../providers/fleet/fleets.ts'
import type { Scope } from '../../api/scope.ts'

/** Gives a controller its fleets, and counts it as a user of them. */
export interface FleetUse {
  /** `user`: the key of the object that uses the fleet from now on. */
  readonly fleetOf: (scope: Scope, cloud: WatchedCloud, user: string) => Fleet
  /** The object is gone. */
  readonly leaveFleet: (user: string) => void
}

/** For the objects of one kind, because a machine and an infrastructure cluster may have the same name. */
export function fleetUse(fleets: Pick<Fleets, 'of' | 'leave'>, kind: string): FleetUse {
  return {
    fleetOf: (scope, cloud, user) => fleets.of(scope, cloud, `${kind} ${user}`),
    leaveFleet: (user) => fleets.leave(`${kind} ${user}`),
  }
}
