import { Capacity, type CapacityHole, type Holding } from '../../kit/supply/capacity.ts'
import { Countdown } from '../../kit/faults/countdown.ts'
import type { Instance, Reason, ReservationAffinity } from '../instances/instance.ts'
import type { Instances } from '../instances/instances.ts'
import type { AvailabilityClass } from './instance-profiles.ts'
import { reason } from '../instances/reasons.ts'
import { statusOf, type Reservation, type Reservations } from './reservations.ts'

/** What is about to start. */
export interface Starting {
  readonly profile: string
  readonly zone: string
  readonly availability: AvailabilityClass
  readonly affinity: ReservationAffinity
  /** What it has held until now. */
  readonly reservation?: Reservation | undefined
}

interface Verdict {
  readonly reservation: Reservation | undefined
  /** Undefined: it will run. */
  readonly failure: Reason | undefined
}

const anything = 'start'

/** What IBM has to give. It says yes to every request, and looks afterwards. */
export class Supply {
  readonly #reservations: Reservations
  readonly #capacity: Capacity
  readonly #failures = new Countdown<Reason>()

  constructor(reservations: Reservations, instances: Instances) {
    this.#reservations = reservations
    this.#capacity = new Capacity(() => holdings(instances))
  }

  takeAway(hole: CapacityHole): void {
    this.#capacity.takeAway(hole)
  }

  giveBack(hole: CapacityHole): void {
    this.#capacity.giveBack(hole)
  }

  /** It was accepted, and will not start. */
  refuse(instance: Instance): void {
    this.#capacity.refuse(instance, instance.name)
  }

  get refusedNames(): readonly string[] {
    return this.#capacity.refusedNames
  }

  missing(now: number): readonly CapacityHole[] {
    return this.#capacity.missing(now)
  }

  /** The next starts, of new instances and stopped ones, come to nothing for this reason. */
  failNext(why: Reason, count: number): void {
    this.#failures.add(anything, count, why)
  }

  /** What will become of a start. */
  judge(starting: Starting, now: number): Verdict {
    const failure = this.#failures.take(anything)
    const reservation = this.#reservationFor(starting, now)
    if (failure !== undefined) return { reservation, failure }
    if (reservation) return { reservation, failure: failureIn(reservation, this.#reservations, { starting, now }) }
    const { profile: instanceType, zone, availability } = starting
    const market = availability === 'spot' ? 'spot' : 'on-demand'
    const isThere = this.#capacity.has({ instanceType, zone, market }, now)
    return { reservation, failure: isThere ? undefined : reason('cannot_start_capacity') }
  }

  #reservationFor({ affinity, ...starting }: Starting, now: number): Reservation | undefined {
    const [named] = affinity.pool
    if (affinity.policy === 'manual') return named
    return affinity.policy === 'automatic' ? this.#reservations.findAutomatic(starting, now) : undefined
  }
}

function failureIn(
  reservation: Reservation,
  reservations: Reservations,
  { starting, now }: { starting: Starting; now: number },
): Reason | undefined {
  if (statusOf(reservation, now) !== 'active') return reason('cannot_start_reservation_expired')
  const isHeld = starting.reservation?.id === reservation.id
  return isHeld || reservations.available(reservation) > 0 ? undefined : reason('cannot_start_reservation_capacity')
}

/** What instances take of IBM's capacity; what is reserved is kept apart. */
function* holdings(instances: Instances): Iterable<Holding> {
  for (const { instance } of instances.histories()) {
    const { plan, zone, availability, status, reservation, goneAt } = instance
    if (goneAt !== undefined || status === 'stopped' || status === 'failed' || reservation) continue
    const market = availability === 'spot' ? 'spot' : 'on-demand'
    yield { instance, offering: { instanceType: plan.profile.name, zone: zone.name, market } }
  }
}
