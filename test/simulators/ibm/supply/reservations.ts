import type { ReservationTerms as Terms } from '../../kit/control/supply-control.ts'
import { newId, type Resource } from '../ids.ts'
import type { AvailabilityClass } from './instance-profiles.ts'
import { Store } from '../instances/store.ts'
import type { World, Zone } from '../world.ts'

/** Instances of one profile in one zone that are paid for and kept free. */
export interface Reservation extends Resource {
  readonly name: string
  readonly number: number
  readonly profile: string
  readonly zone: Zone
  readonly total: number
  /** `automatic`: instances that fit run in it unasked. `restricted`: only those that name it. */
  readonly affinity: 'automatic' | 'restricted'
  readonly createdAt: number
  readonly endsAt: number | undefined
  isCancelled: boolean
}

/** `open` is what IBM calls automatic, `targeted` what it calls restricted. */
export type ReservationTerms = Omit<Terms, 'kind' | 'startsAt'>

export type ReservationStatus = 'active' | 'expired' | 'inactive'

/** What an instance wants of reservations. */
interface Wanted {
  readonly profile: string
  readonly zone: string
}

/** Who may hold a place in a reservation. */
interface Holder {
  readonly reservation: Reservation | undefined
  readonly availability: AvailabilityClass
}

/** The reservations of the account. How many instances run in one is counted, never kept. */
export class Reservations extends Store<Reservation> {
  readonly #world: World
  readonly #holders: () => Iterable<Holder>
  #made = 0

  constructor(world: World, holders: () => Iterable<Holder>) {
    super()
    this.#world = world
    this.#holders = holders
  }

  reserve({ instanceType, zone, count, match = 'open', name, endsAt }: ReservationTerms, now: number): Reservation {
    this.#made += 1
    const found = this.#world.zones.find((one) => one.name === zone)
    if (!found) throw new Error(`Zone ${zone} is not of this world`)
    return this.add({
      id: newId(found.prefix),
      name: name ?? `reservation-${this.#made}`,
      number: this.#made,
      profile: instanceType,
      zone: found,
      total: count,
      affinity: match === 'open' ? 'automatic' : 'restricted',
      createdAt: now,
      endsAt,
      isCancelled: false,
    })
  }

  used({ id }: Reservation): number {
    return [...this.#holders()].filter(({ reservation }) => reservation?.id === id).length
  }

  available(reservation: Reservation): number {
    return Math.max(0, reservation.total - this.used(reservation))
  }

  /** The automatic one that an instance runs in without having named it. */
  findAutomatic(wanted: Wanted, now: number): Reservation | undefined {
    return this.all.find((one) => {
      const isOpen = one.affinity === 'automatic' && statusOf(one, now) === 'active'
      return isOpen && suits(one, wanted) && this.available(one) > 0
    })
  }
}

export function suits({ profile, zone }: Reservation, wanted: Wanted): boolean {
  return profile === wanted.profile && zone.name === wanted.zone
}

export function statusOf({ isCancelled, endsAt }: Reservation, now: number): ReservationStatus {
  if (isCancelled) return 'inactive'
  return endsAt !== undefined && now >= endsAt ? 'expired' : 'active'
}
