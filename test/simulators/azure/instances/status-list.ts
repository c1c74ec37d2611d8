import { randomFrom } from '../../kit/random.ts'

/**
 * How much the list of a subscription's states says of each machine. `bare`: its id, name, place and states, all that
 * Azure's documents promise. `full`: what every other list says as well.
 */
export const statusDetails = ['bare', 'full'] as const
export type StatusDetail = (typeof statusDetails)[number]

/** The list with `statusOnly`: nobody says what stands in it, and now and then a power state is missing. */
export class StatusList {
  detail: StatusDetail = 'bare'
  #missingRate = 0
  #random = randomFrom(1)

  /** From now on this share of the power states is missing, the same ones for the same seed. */
  missPower(rate: number, seed = 1): void {
    this.#missingRate = rate
    this.#random = randomFrom(seed)
  }

  /** For one machine in one list. */
  missesPower(): boolean {
    return this.#missingRate > 0 && this.#random() < this.#missingRate
  }
}
