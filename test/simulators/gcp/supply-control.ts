import { ControlError, verb, type Verb, type View } from '../kit/control.ts'
import { compact, marketCalled, wordOf } from '../kit/given.ts'
import type { GceHole } from './capacity.ts'
import { machineTypes } from './machine-types.ts'
import type { Project } from './project.ts'
import { quotaMetrics, type Quota, type QuotaMetric } from './quotas.ts'
import type { Reservation, ReservationTerms } from './reservations.ts'

export interface ReservationView extends Reservation {
  readonly available: number
}

/** What GCE has to give, and how much of it the project may have. */
export interface SupplyControl {
  /** Inserts of this end with ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS; of everything, when nothing is said. */
  noCapacity(hole?: GceHole): void
  capacityBack(hole?: GceHole): void
  /** No more than this in each region. */
  quota(quota: Quota): void
  /** As much as anybody likes. */
  liftQuota(metric: QuotaMetric): void
  /** Keeps instances free for this project; answers with the name of the reservation. */
  reserve(terms: ReservationTerms): string
  cancelReservation(name: string): void
  reservations(): readonly ReservationView[]
}

export function supplyControl({ world, capacity, quotas, reservations, clock }: Project): SupplyControl {
  return {
    noCapacity: (hole = {}) => capacity.takeAway(hole),
    capacityBack: (hole = {}) => capacity.giveBack(hole),
    quota(quota) {
      if (!(quota.limit >= 0)) throw new ControlError('"limit" must be a number from 0.')
      quotas.set(quota)
    },
    liftQuota: (metric) => quotas.lift(metric),
    reserve(terms) {
      if (!world.zones.some(({ name }) => name === terms.zone)) {
        throw new ControlError(`"zone" must be one of ${world.zones.map(({ name }) => name).join(', ')}.`)
      }
      if (!machineTypes.some(({ name }) => name === terms.instanceType)) {
        throw new ControlError(`There is no machine type "${terms.instanceType}" in the catalogue.`)
      }
      return reservations.add(terms, clock.now()).name
    },
    cancelReservation(name) {
      if (reservations.cancel(name)) return
      throw new ControlError(`There is no reservation ${name}; GET /_control/reservations lists them.`)
    },
    reservations: () => reservations.all.map((one) => ({ ...one, available: reservations.available(one) })),
  }
}

/** The same over HTTP. */
export function supplyVerbs(control: SupplyControl, now: () => number): readonly Verb[] {
  return [
    verb({
      name: 'no-capacity',
      does: 'GCE has none of this to give, for ever or for a while; synchronous: said at once, with a 503',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?', for: 'duration?', synchronous: 'boolean?' },
      run: ({ for: lasts, market, ...hole }) =>
        control.noCapacity(compact({ ...hole, market: marketCalled(market), until: lasts && now() + lasts })),
    }),
    verb({
      name: 'capacity-back',
      does: 'GCE has this again',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?' },
      run: ({ market, ...hole }) => control.capacityBack(compact({ ...hole, market: marketCalled(market) })),
    }),
    verb({
      name: 'quota',
      does: `no more than this in each region: ${quotaMetrics.join(', ')}; synchronous: said at once, with a 403`,
      fields: { metric: 'text', limit: 'number', synchronous: 'boolean?' },
      run: ({ metric, ...quota }) => control.quota({ metric: metricCalled(metric), ...quota }),
    }),
    verb({
      name: 'lift-quota',
      does: 'as much of this as anybody likes',
      fields: { metric: 'text' },
      run: ({ metric }) => control.liftQuota(metricCalled(metric)),
    }),
    verb({
      name: 'reserve',
      does: 'keeps instances free; match: open or targeted',
      fields: { instanceType: 'text', zone: 'text', count: 'number', match: 'text?', name: 'text?' },
      run: ({ match, ...terms }) => ({
        name: control.reserve({ ...terms, ...compact({ match: wordOf('match', match, ['open', 'targeted']) }) }),
      }),
    }),
    verb({
      name: 'cancel-reservation',
      does: 'ends a reservation; what runs in it goes on',
      fields: { name: 'text' },
      run: ({ name }) => control.cancelReservation(name),
    }),
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

function metricCalled(text: string): QuotaMetric {
  const found = quotaMetrics.find((metric) => metric === text)
  if (found) return found
  throw new ControlError(`"metric" must be one of ${quotaMetrics.join(', ')}.`)
}
