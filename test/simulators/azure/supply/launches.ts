import { Countdown, anyAction } from '../../kit/faults/countdown.ts'
import type { Refusal } from '../instances/instance.ts'

/** Machines that are to be accepted first and refused afterwards. */
export class Launches {
  readonly #refusals = new Countdown<Refusal>()

  refuseNext(count: number, refusal: Refusal): void {
    this.#refusals.add(anyAction, count, refusal)
  }

  /** For the machine that was accepted now. */
  takeRefusal(): Refusal | undefined {
    return this.#refusals.take(anyAction)
  }
}
