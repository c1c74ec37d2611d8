import type { Capacity, CapacityHole } from '../supply/capacity.ts'
import { known } from './read-fields.ts'
import { ControlError, optionalOneOf, verb, verbsOf, type FieldTable, type Verb } from './verb.ts'

export const markets = ['spot', 'on-demand'] as const

/** Where a cloud has nothing to give. */
export interface CapacityControl<Hole extends CapacityHole = CapacityHole> {
  /** Launches of this are refused in the cloud's way; of everything, when nothing is said. */
  noCapacity(hole?: Hole): void
  capacityBack(hole?: CapacityHole): void
  /** The names of the instances that were accepted, and then refused for lack of capacity or quota. */
  refusedLater(): readonly string[]
}

export function capacityControl<Hole extends CapacityHole>(
  capacity: Pick<Capacity<Hole>, 'takeAway' | 'giveBack' | 'refusedNames'>,
): CapacityControl<Hole> {
  return {
    noCapacity(hole = {} as Hole) {
      const { pieces = 0 } = hole
      if (!Number.isInteger(pieces) || pieces < 0) throw new ControlError('"pieces" must be a whole number from 0.')
      capacity.takeAway(hole)
    },
    capacityBack: (hole = {}) => capacity.giveBack(hole),
    refusedLater: () => capacity.refusedNames,
  }
}

const place = { instanceType: 'text?', zone: 'text?', market: optionalOneOf(markets) } as const

interface CapacityWords {
  /** What the cloud calls itself. */
  readonly cloud: string
  /** How it refuses, and what of that can be chosen. */
  readonly how?: string
  readonly choices?: FieldTable
}

/** The same over HTTP. */
export function capacityVerbs<Hole extends CapacityHole>(
  control: CapacityControl<Hole>,
  { cloud, how, choices }: CapacityWords,
  now: () => number,
): readonly Verb[] {
  return [
    verb({
      name: 'no-capacity',
      does: `${cloud} has none of this to give, or so many pieces, for ever or for a while${how === undefined ? '' : `; ${how}`}`,
      fields: { ...place, pieces: 'number?', for: 'duration?', ...choices },
      run: ({ for: lasts, ...hole }) =>
        control.noCapacity({ ...hole, ...(lasts !== undefined && { until: now() + lasts }) } as Hole),
    }),
    verb({
      name: 'capacity-back',
      does: `${cloud} has this again`,
      fields: place,
      run: (hole) => control.capacityBack(hole),
    }),
  ]
}

/** What one has to say of a reservation; the rest is usual. A cloud takes of this what it knows. */
export interface ReservationTerms {
  readonly instanceType: string
  readonly zone: string
  readonly count: number
  /** `open`, or left out: instances that fit run in it unasked. `targeted`: only those that name it. */
  readonly match?: 'open' | 'targeted'
  readonly kind?: 'default' | 'capacity-block'
  readonly name?: string
  /** In milliseconds of the simulator's clock; left out: now. */
  readonly startsAt?: number
  /** Left out: never. */
  readonly endsAt?: number
}

/** Instances that are kept free. */
export interface ReservationControl<Terms, View> {
  /** Answers with what the reservation is called by. */
  reserve(terms: Terms): string
  cancelReservation(called: string): void
  reservations(): readonly View[]
}

interface Reservable {
  readonly zones: readonly { readonly name: string }[]
  readonly types: readonly { readonly name: string }[]
  /** What the cloud calls a type; left out: an instance type. */
  readonly kind?: string
}

/** Refuses what no reservation can be of. */
export function checkReservable(
  { zone, instanceType }: ReservationTerms,
  { zones, types, kind = 'instance type' }: Reservable,
): void {
  checkZone(zone, zones)
  if (types.some(({ name }) => name === instanceType)) return
  throw new ControlError(`There is no ${kind} "${instanceType}" in the catalogue.`)
}

export function checkZone(zone: string, zones: Reservable['zones']): void {
  known(
    'zone',
    zone,
    zones.map(({ name }) => name),
  )
}

export function noReservation(called: string): ControlError {
  return new ControlError(`There is no reservation ${called}; GET /_control/reservations lists them.`)
}

const termFields = {
  match: optionalOneOf(['open', 'targeted']),
  kind: optionalOneOf(['default', 'capacity-block']),
  name: 'text?',
  in: 'duration?',
  for: 'duration?',
} as const

interface ReservationWords {
  readonly does: string
  /** What this cloud takes beside the type, the zone and the count. */
  readonly takes: readonly (keyof typeof termFields)[]
  /** What a reservation is called by. */
  readonly by: 'id' | 'name'
}

/** The same over HTTP. */
export function reservationVerbs(
  control: ReservationControl<ReservationTerms, object>,
  { does, takes, by }: ReservationWords,
  now: () => number,
): readonly Verb[] {
  const own = Object.fromEntries(takes.map((name) => [name, termFields[name]])) as typeof termFields
  return [
    verb({
      name: 'reserve',
      does: `keeps instances free; ${does}`,
      fields: { instanceType: 'text', zone: 'text', count: 'number', ...own },
      run: ({ in: wait, for: lasts, ...terms }) => {
        const startsAt = now() + (wait ?? 0)
        const endsAt = lasts === undefined ? {} : { endsAt: startsAt + lasts }
        return { [by]: control.reserve({ ...terms, ...(wait !== undefined && { startsAt }), ...endsAt }) }
      },
    }),
    verbsOf(control)('cancelReservation', 'ends a reservation; what runs in it goes on', [by, 'text']),
  ]
}
