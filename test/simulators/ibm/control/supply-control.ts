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
import { ControlError, oneOf, verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { Account } from '../account.ts'
import { instanceProfiles } from '../supply/instance-profiles.ts'
import { quotaNames, type QuotaName } from '../supply/quotas.ts'
import { reason } from '../instances/reasons.ts'
import { statusOf, type Reservation, type ReservationStatus, type ReservationTerms } from '../supply/reservations.ts'

interface ReservationView extends Reservation {
  readonly status: ReservationStatus
  readonly available: number
}

/** What IBM has to give, and how much of it to this account. Without it a start ends with cannot_start_capacity. */
export interface SupplyControl extends CapacityControl, ReservationControl<ReservationTerms, ReservationView> {
  /**
   * The next instances are accepted, and come to nothing afterwards for this reason, such as cannot_start_ip_address.
   */
  failNextLaunch(code: string, count?: number, message?: string): void
  /** No more than this from now on. */
  quota(name: QuotaName, limit: number): void
}

export function supplyControl({ world, supply, reservations, switches, clock }: Account): SupplyControl {
  return {
    ...capacityControl(supply),
    failNextLaunch: (code, count = 1, message = reason(code).message) => supply.failNext({ code, message }, count),
    reserve(terms) {
      checkReservable(terms, { zones: world.zones, types: instanceProfiles })
      return reservations.reserve(terms, clock.now()).id
    },
    cancelReservation(id) {
      const found = reservations.get(id)
      if (!found) throw noReservation(id)
      found.isCancelled = true
    },
    reservations: () =>
      reservations.all.map((one) => ({
        ...one,
        status: statusOf(one, clock.now()),
        available: reservations.available(one),
      })),
    quota(name, limit) {
      if (!(limit >= 0)) throw new ControlError('"limit" must be a number from 0.')
      switches.quotas = { ...switches.quotas, [name]: limit }
    },
  }
}

/** The same over HTTP. */
export function supplyVerbs(control: SupplyControl, now: () => number): readonly Verb[] {
  const calls = verbsOf(control)
  const does = 'match: open (automatic) or targeted (restricted); for: how long'
  return [
    ...capacityVerbs(control, { cloud: 'IBM', how: 'it finds out after it has said yes' }, now),
    calls(
      'failNextLaunch',
      'accepts the next instances, and starts of stopped ones, and fails them afterwards with a code',
      ['code', 'text'],
      ['count', 'number?'],
      ['message', 'text?'],
    ),
    ...reservationVerbs(control, { does, takes: ['match', 'name', 'for'], by: 'id' }, now),
    calls('quota', 'no more than this from now on', ['name', oneOf(quotaNames)], ['limit', 'number']),
  ]
}

export function supplyViews(control: SupplyControl, { supply, clock }: Account): Readonly<Record<string, View>> {
  return { capacity: () => supply.missing(clock.now()), reservations: () => control.reservations() }
}
