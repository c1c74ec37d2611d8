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
import { instanceTypes, quotaNames, type QuotaName } from '../supply/instance-types.ts'
import { quotaMarkets, type QuotaMarket } from '../supply/quotas.ts'
import {
  stateOf,
  type CapacityReservation,
  type ReservationState,
  type ReservationTerms,
} from '../supply/reservations.ts'

interface ReservationView extends CapacityReservation {
  readonly state: ReservationState
  readonly available: number
}

/** What EC2 has to give, and at what price. Without capacity launches get InsufficientInstanceCapacity. */
export interface SupplyControl extends CapacityControl, ReservationControl<ReservationTerms, ReservationView> {
  /** The spot price of a type from now on, in dollars an hour; without a zone: in all. */
  spotPrice(instanceType: string, price: number, zone?: string): void
  /** No more than so many processors of these types from now on, in this market. */
  quota(name: QuotaName, market: QuotaMarket, limit: number): void
}

export function supplyControl({ world, capacity, reservations, market, quotas, clock }: Account): SupplyControl {
  return {
    ...capacityControl(capacity),
    reserve(terms) {
      checkReservable(terms, { zones: world.zones, types: instanceTypes })
      return reservations.add(terms, clock.now()).id
    },
    cancelReservation(id) {
      if (!reservations.cancel(id)) throw noReservation(id)
    },
    reservations: () =>
      reservations.all.map((one) => ({
        ...one,
        state: stateOf(one, clock.now()),
        available: reservations.available(one),
      })),
    quota(name, inMarket, limit) {
      if (!(limit >= 0)) throw new ControlError('"limit" must be a number from 0.')
      quotas.set({ name, market: inMarket, limit })
    },
    spotPrice(instanceType, price, zone) {
      if (!(price > 0)) throw new ControlError('"price" must be a number of dollars above 0.')
      if (market.change(instanceType, { zone, price, now: clock.now() }) > 0) return
      throw new ControlError(
        `There is no spot market for "${instanceType}" ${zone === undefined ? 'here' : `in ${zone}`}.`,
      )
    },
  }
}

/** The same over HTTP. */
export function supplyVerbs(control: SupplyControl, now: () => number): readonly Verb[] {
  const calls = verbsOf(control)
  const does = 'match: open or targeted; kind: default or capacity-block; in, for: when and how long'
  return [
    ...capacityVerbs(control, { cloud: 'EC2' }, now),
    ...reservationVerbs(control, { does, takes: ['match', 'kind', 'in', 'for'], by: 'id' }, now),
    calls(
      'quota',
      'no more than so many processors from now on',
      ['name', oneOf(quotaNames)],
      ['market', oneOf(quotaMarkets)],
      ['limit', 'number'],
    ),
    calls(
      'spotPrice',
      'another spot price from now on, in dollars an hour',
      ['instanceType', 'text'],
      ['price', 'number'],
      ['zone', 'text?'],
    ),
  ]
}

export function supplyViews(
  control: SupplyControl,
  { capacity, quotas, clock }: Account,
): Readonly<Record<string, View>> {
  return {
    capacity: () => capacity.missing(clock.now()),
    quotas: () => quotas.all,
    reservations: () => control.reservations(),
  }
}
