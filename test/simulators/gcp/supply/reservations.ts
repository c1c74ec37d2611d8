import type { ReservationTerms as Terms } from '../../kit/control/supply-control.ts'
import { newId } from '../ids.ts'
import type { Instances } from '../instances/instances.ts'

/** Instances of one type in one zone that are paid for and kept free. */
export interface Reservation {
  readonly id: string
  readonly name: string
  readonly instanceType: string
  readonly zone: string
  readonly count: number
  /** `open`: instances that fit run in it unasked. `targeted`: only those that name it. */
  readonly match: 'open' | 'targeted'
  readonly createdAt: number
}

export type ReservationTerms = Pick<Terms, 'instanceType' | 'zone' | 'count' | 'match' | 'name'>

interface Wanted {
  readonly instanceType: string
  readonly zone: string
}

/** The reservations of the project. How many instances run in one is counted, never kept. */
export class Reservations {
  readonly #instances: Instances
  readonly #byKey = new Map<string, Reservation>()

  constructor(instances: Instances) {
    this.#instances = instances
  }

  get all(): readonly Reservation[] {
    return [...this.#byKey.values()]
  }

  add({ match = 'open', name, ...terms }: ReservationTerms, now: number): Reservation {
    const id = newId()
    const added = { ...terms, match, id, name: name ?? `reservation-${id.slice(-6)}`, createdAt: now }
    this.#byKey.set(`${added.zone}/${added.name}`, added)
    return added
  }

  /** By its name. */
  cancel(name: string): boolean {
    const found = this.all.find((one) => one.name === name)
    return found !== undefined && this.#byKey.delete(`${found.zone}/${name}`)
  }

  find(zone: string, name: string): Reservation | undefined {
    return this.#byKey.get(`${zone}/${name}`)
  }

  inUse({ id }: Reservation): number {
    return this.#instances
      .visible()
      .filter(({ plan, status }) => plan.reservation?.id === id && status !== 'TERMINATED').length
  }

  available(reservation: Reservation): number {
    return Math.max(0, reservation.count - this.inUse(reservation))
  }

  suits(reservation: Reservation, { instanceType, zone }: Wanted): boolean {
    const fits = reservation.instanceType === instanceType && reservation.zone === zone
    return fits && this.available(reservation) > 0
  }

  /** The open one that an instance runs in without having named it. */
  findOpen(wanted: Wanted): Reservation | undefined {
    return this.all.find((one) => one.match === 'open' && this.suits(one, wanted))
  }
}
