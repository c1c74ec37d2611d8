import type { ReservationTerms as Terms } from '../../kit/control/supply-control.ts'
import { Ec2Error } from '../http/errors.ts'
import { newId } from '../ids.ts'
import type { Instance } from '../instances/instance.ts'
import type { Instances } from '../instances/instances.ts'

/** Instances of one type in one zone that are paid for and kept free. */
export interface CapacityReservation {
  readonly id: string
  readonly instanceType: string
  readonly zone: string
  readonly count: number
  /** `open`: instances that fit run in it unasked. `targeted`: only those that name it. */
  readonly match: 'open' | 'targeted'
  readonly kind: 'default' | 'capacity-block'
  readonly createdAt: number
  readonly startsAt: number
  readonly endsAt: number | undefined
  readonly isCancelled: boolean
}

export type ReservationTerms = Omit<Terms, 'name'>

export type ReservationState = 'pending' | 'active' | 'expired' | 'cancelled'

/** What a launch wants of reservations. */
interface Wanted {
  readonly instanceType: string
  readonly zone: string
  readonly count: { readonly min: number; readonly max: number }
}

/** The reservations of the account. How many instances run in one is counted, never kept. */
export class Reservations {
  readonly #instances: Instances
  readonly #byId = new Map<string, CapacityReservation>()

  constructor(instances: Instances) {
    this.#instances = instances
  }

  get all(): readonly CapacityReservation[] {
    return [...this.#byId.values()]
  }

  add({ match = 'open', kind = 'default', ...terms }: ReservationTerms, now: number): CapacityReservation {
    const added: CapacityReservation = {
      endsAt: undefined,
      startsAt: now,
      ...terms,
      id: newId('cr'),
      createdAt: now,
      isCancelled: false,
      // A capacity block is only ever for those who name it.
      match: kind === 'capacity-block' ? 'targeted' : match,
      kind,
    }
    this.#byId.set(added.id, added)
    return added
  }

  cancel(id: string): boolean {
    const found = this.#byId.get(id)
    if (found) this.#byId.set(id, { ...found, isCancelled: true })
    return found !== undefined
  }

  available({ id, count }: CapacityReservation): number {
    const used = this.#instances
      .histories()
      .filter(({ instance }) => instance.plan.reservation?.id === id && holdsCapacity(instance))
      .toArray().length
    return Math.max(0, count - used)
  }

  /** Whether a launch can run in this one. */
  check(reservation: CapacityReservation, wanted: Wanted, now: number): void {
    const state = stateOf(reservation, now)
    if (state === 'pending') {
      throw new Ec2Error('InvalidCapacityReservationState.PendingActivation', 'Your Capacity Block is not active yet.')
    }
    if (state !== 'active') {
      const sentence = `The capacity reservation '${reservation.id}' is ${state}: it is not in a valid state.`
      throw new Ec2Error('InvalidCapacityReservationState', sentence)
    }
    if (!this.#suits(reservation, wanted)) throw noRoom()
  }

  /** The open one that a launch runs in without having named it. */
  findOpen(wanted: Wanted, now: number): CapacityReservation | undefined {
    return this.all.find((one) => one.match === 'open' && stateOf(one, now) === 'active' && this.#suits(one, wanted))
  }

  #suits(reservation: CapacityReservation, { instanceType, zone, count }: Wanted): boolean {
    const fits = reservation.instanceType === instanceType && reservation.zone === zone
    return fits && this.available(reservation) >= count.min
  }
}

export function noRoom(): Ec2Error {
  return new Ec2Error(
    'ReservationCapacityExceeded',
    'The requested reservation does not have sufficient compatible and available capacity for this request.',
  )
}

export function stateOf({ isCancelled, startsAt, endsAt }: CapacityReservation, now: number): ReservationState {
  if (isCancelled) return 'cancelled'
  if (now < startsAt) return 'pending'
  return endsAt !== undefined && now >= endsAt ? 'expired' : 'active'
}

export function holdsCapacity({ state }: Readonly<Instance>): boolean {
  return state !== 'stopped' && state !== 'terminated'
}
