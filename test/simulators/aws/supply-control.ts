import { ControlError, verb, type Verb, type View } from '../kit/control.ts'
import { compact, marketCalled, wordOf } from '../kit/given.ts'
import type { Account } from './account.ts'
import type { CapacityHole } from '../kit/capacity.ts'
import { instanceTypes } from './instance-types.ts'
import { stateOf, type CapacityReservation, type ReservationState, type ReservationTerms } from './reservations.ts'

export interface ReservationView extends CapacityReservation {
  readonly state: ReservationState
  readonly available: number
}

/** What EC2 has to give, and at what price. */
export interface SupplyControl {
  /** Launches of this get InsufficientInstanceCapacity; of everything, when nothing is said. */
  noCapacity(hole?: CapacityHole): void
  capacityBack(hole?: CapacityHole): void
  /** Keeps instances free for this account; answers with the id of the reservation. */
  reserve(terms: ReservationTerms): string
  cancelReservation(id: string): void
  reservations(): readonly ReservationView[]
  /** The spot price of a type from now on, in dollars an hour; without a zone: in all. */
  spotPrice(instanceType: string, price: number, zone?: string): void
}

export function supplyControl({ world, capacity, reservations, market, clock }: Account): SupplyControl {
  const knownZone = (zone: string) => {
    if (world.zones.some(({ name }) => name === zone)) return
    throw new ControlError(`"zone" must be one of ${world.zones.map(({ name }) => name).join(', ')}.`)
  }
  return {
    noCapacity: (hole = {}) => capacity.takeAway(hole),
    capacityBack: (hole = {}) => capacity.giveBack(hole),
    reserve(terms) {
      knownZone(terms.zone)
      if (!instanceTypes.some(({ name }) => name === terms.instanceType)) {
        throw new ControlError(`There is no instance type "${terms.instanceType}" in the catalogue.`)
      }
      return reservations.add(terms, clock.now()).id
    },
    cancelReservation(id) {
      if (reservations.cancel(id)) return
      throw new ControlError(`There is no reservation ${id}; GET /_control/reservations lists them.`)
    },
    reservations: () =>
      reservations.all.map((one) => ({
        ...one,
        state: stateOf(one, clock.now()),
        available: reservations.available(one),
      })),
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
  return [
    verb({
      name: 'no-capacity',
      does: 'EC2 has none of this to give, for ever or for a while',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?', for: 'duration?' },
      run: ({ for: lasts, market, ...hole }) =>
        control.noCapacity(compact({ ...hole, market: marketCalled(market), until: lasts && now() + lasts })),
    }),
    verb({
      name: 'capacity-back',
      does: 'EC2 has this again',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?' },
      run: ({ market, ...hole }) => control.capacityBack(compact({ ...hole, market: marketCalled(market) })),
    }),
    verb({
      name: 'reserve',
      does: 'keeps instances free; match: open or targeted; kind: default or capacity-block; in, for: when and how long',
      fields: {
        instanceType: 'text',
        zone: 'text',
        count: 'number',
        match: 'text?',
        kind: 'text?',
        in: 'duration?',
        for: 'duration?',
      },
      run: ({ match, kind, in: wait = 0, for: lasts, ...terms }) => ({
        id: control.reserve({
          ...terms,
          ...compact({
            match: wordOf('match', match, ['open', 'targeted']),
            kind: wordOf('kind', kind, ['default', 'capacity-block']),
            startsAt: now() + wait,
            endsAt: lasts && now() + wait + lasts,
          }),
        }),
      }),
    }),
    verb({
      name: 'cancel-reservation',
      does: 'ends a reservation; what runs in it goes on',
      fields: { id: 'text' },
      run: ({ id }) => control.cancelReservation(id),
    }),
    verb({
      name: 'spot-price',
      does: 'another spot price from now on, in dollars an hour',
      fields: { instanceType: 'text', price: 'number', zone: 'text?' },
      run: ({ instanceType, price, zone }) => control.spotPrice(instanceType, price, zone),
    }),
  ]
}

export function supplyViews(control: SupplyControl, { capacity, clock }: Account): Readonly<Record<string, View>> {
  return { capacity: () => capacity.missing(clock.now()), reservations: () => control.reservations() }
}
