import type { CapacityHole } from '../kit/capacity.ts'
import { ControlError, verb, type Verb, type View } from '../kit/control.ts'
import { compact, known, marketCalled, wordOf } from '../kit/given.ts'
import type { Account } from './account.ts'
import { instanceProfiles } from './instance-profiles.ts'
import { quotaNames, type QuotaName } from './quotas.ts'
import { reason } from './reasons.ts'
import { statusOf, type Reservation, type ReservationStatus, type ReservationTerms } from './reservations.ts'

export interface ReservationView extends Reservation {
  readonly status: ReservationStatus
  readonly available: number
}

/** What IBM has to give, and how much of it to this account. */
export interface SupplyControl {
  /** What is started of this comes to nothing with cannot_start_capacity; of everything, when nothing is said. */
  noCapacity(hole?: CapacityHole): void
  capacityBack(hole?: CapacityHole): void
  /**
   * The next instances are accepted, and come to nothing afterwards for this reason, such as cannot_start_ip_address.
   */
  failNextLaunch(code: string, count?: number, message?: string): void
  /** Keeps instances free for this account; answers with the id of the reservation. */
  reserve(terms: ReservationTerms): string
  cancelReservation(id: string): void
  reservations(): readonly ReservationView[]
  /** No more than this from now on. */
  quota(name: QuotaName, limit: number): void
}

export function supplyControl({ world, supply, reservations, switches, clock }: Account): SupplyControl {
  return {
    noCapacity: (hole = {}) => supply.takeAway(hole),
    capacityBack: (hole = {}) => supply.giveBack(hole),
    failNextLaunch: (code, count = 1, message = reason(code).message) => supply.failNext({ code, message }, count),
    reserve(terms) {
      if (!world.zones.some(({ name }) => name === terms.zone)) {
        throw new ControlError(`"zone" must be one of ${world.zones.map(({ name }) => name).join(', ')}.`)
      }
      if (!instanceProfiles.some(({ name }) => name === terms.instanceType)) {
        throw new ControlError(`There is no instance type "${terms.instanceType}" in the catalogue.`)
      }
      return reservations.reserve(terms, clock.now()).id
    },
    cancelReservation(id) {
      const found = reservations.get(id)
      if (!found) throw new ControlError(`There is no reservation ${id}; GET /_control/reservations lists them.`)
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
  return [
    verb({
      name: 'no-capacity',
      does: 'IBM has none of this to give, for ever or for a while, and finds out after it has said yes',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?', for: 'duration?' },
      run: ({ for: lasts, market, ...hole }) =>
        control.noCapacity(compact({ ...hole, market: marketCalled(market), until: lasts && now() + lasts })),
    }),
    verb({
      name: 'capacity-back',
      does: 'IBM has this again',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?' },
      run: ({ market, ...hole }) => control.capacityBack(compact({ ...hole, market: marketCalled(market) })),
    }),
    verb({
      name: 'fail-next-launch',
      does: 'accepts the next instances, and starts of stopped ones, and fails them afterwards with a code',
      fields: { code: 'text', count: 'number?', message: 'text?' },
      run: ({ code, count, message }) => control.failNextLaunch(code, count, message),
    }),
    verb({
      name: 'reserve',
      does: 'keeps instances free; match: open (automatic) or targeted (restricted); for: how long',
      fields: { instanceType: 'text', zone: 'text', count: 'number', match: 'text?', name: 'text?', for: 'duration?' },
      run: ({ match, for: lasts, name, ...terms }) => ({
        id: control.reserve({
          ...terms,
          ...compact({
            name,
            match: wordOf('match', match, ['open', 'targeted']),
            endsAt: lasts && now() + lasts,
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
      name: 'quota',
      does: `no more than this from now on: ${quotaNames.join(', ')}`,
      fields: { name: 'text', limit: 'number' },
      run: ({ name, limit }) => control.quota(known('name', name, quotaNames), limit),
    }),
  ]
}

export function supplyViews(control: SupplyControl, { supply, clock }: Account): Readonly<Record<string, View>> {
  return { capacity: () => supply.missing(clock.now()), reservations: () => control.reservations() }
}
