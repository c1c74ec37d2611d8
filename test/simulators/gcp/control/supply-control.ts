import type { View } from '../../kit/control/control-plane.ts'
import {
  capacityControl,
  capacityVerbs,
  checkReservable,
  noReservation,
  reservationVerbs,
  type CapacityControl,
  type ReservationControl,
} from '../../kit/control/supply-control.ts'
import { ControlError, oneOf, verb, verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { GceHole } from '../supply/capacity.ts'
import { machineTypes } from '../supply/machine-types.ts'
import type { Project } from '../project.ts'
import { quotaMetrics, type Quota, type QuotaMetric } from '../supply/quotas.ts'
import type { Reservation, ReservationTerms } from '../supply/reservations.ts'

interface ReservationView extends Reservation {
  readonly available: number
}

/**
 * What GCE has to give, and how much of it the project may have. Without capacity inserts end with
 * ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS.
 */
export interface SupplyControl extends CapacityControl<GceHole>, ReservationControl<ReservationTerms, ReservationView> {
  /** No more than this in each region. */
  quota(quota: Quota): void
  /** As much as anybody likes. */
  liftQuota(metric: QuotaMetric): void
}

export function supplyControl({ world, capacity, quotas, reservations, clock }: Project): SupplyControl {
  return {
    ...capacityControl(capacity),
    quota(quota) {
      if (!(quota.limit >= 0)) throw new ControlError('"limit" must be a number from 0.')
      quotas.set(quota)
    },
    liftQuota: (metric) => quotas.lift(metric),
    reserve(terms) {
      checkReservable(terms, { zones: world.zones, types: machineTypes, kind: 'machine type' })
      return reservations.add(terms, clock.now()).name
    },
    cancelReservation(name) {
      if (!reservations.cancel(name)) throw noReservation(name)
    },
    reservations: () => reservations.all.map((one) => ({ ...one, available: reservations.available(one) })),
  }
}

/** The same over HTTP. */
export function supplyVerbs(control: SupplyControl, now: () => number): readonly Verb[] {
  const how = 'synchronous: said at once, with a 503'
  return [
    ...capacityVerbs(control, { cloud: 'GCE', how, choices: { synchronous: 'boolean?' } }, now),
    verb({
      name: 'quota',
      does: `no more than this in each region: ${quotaMetrics.join(', ')}; synchronous: said at once, with a 403`,
      fields: { metric: oneOf(quotaMetrics), limit: 'number', synchronous: 'boolean?' },
      run: (quota) => control.quota(quota),
    }),
    verbsOf(control)('liftQuota', 'as much of this as anybody likes', ['metric', oneOf(quotaMetrics)]),
    ...reservationVerbs(control, { does: 'match: open or targeted', takes: ['match', 'name'], by: 'name' }, now),
  ]
}

export function supplyViews(control: SupplyControl, project: Project): Readonly<Record<string, View>> {
  const { capacity, quotas, clock } = project
  return {
    capacity: () => capacity.missing(clock.now()),
    quotas: () => quotas.all,
    reservations: () => control.reservations(),
  }
}
