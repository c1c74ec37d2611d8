import type { Clock } from '../../../api/ctx.ts'
import { randomFrom } from '../common/random.ts'
import type { Instance, InstanceVersion } from './instance.ts'
import type { Instances } from './instances.ts'

/** How late changes are seen, in milliseconds. What is left out is seen at once. */
export interface Invisible {
  /** A created instance. */
  readonly create?: number
  /** A stop, an end, and every other change of state. */
  readonly delete?: number
  /** Calls by its id do not know of a created instance any earlier than lists do. */
  readonly writes?: boolean
}

/** Every list is late by some time of its own: the same times for the same seed. */
export interface Lag {
  readonly minMs: number
  readonly maxMs: number
  readonly seed?: number
}

/** What calls see of the instances: for lists that may be the past. Whether a name is taken is known at once. */
export class Sight {
  readonly #instances: Instances
  readonly #clock: Clock
  #invisible: Invisible = {}
  #lag: Lag = { minMs: 0, maxMs: 0 }
  #random = randomFrom(0)

  constructor(instances: Instances, clock: Clock) {
    this.#instances = instances
    this.#clock = clock
  }

  invisible(invisible: Invisible): void {
    this.#invisible = invisible
  }

  lag(lag: Lag): void {
    this.#lag = lag
    this.#random = randomFrom(lag.seed ?? 1)
  }

  /** For one call that lists, once: the next call may see more, or less. */
  look(): readonly InstanceVersion[] {
    const { minMs, maxMs } = this.#lag
    const { create = 0, delete: change = 0 } = this.#invisible
    if (maxMs + create + change === 0) return this.#instances.all
    const moment = this.#clock.now() - (minMs + (maxMs - minMs) * this.#random())
    return this.#instances
      .histories()
      .filter(({ instance }) => instance.createdAt + create <= moment)
      .map((history) => history.at(moment - change))
      .filter(({ goneAt }) => goneAt === undefined)
      .toArray()
  }

  /** For a call by its id. */
  find(id: string): Instance | undefined {
    const { create = 0, writes = false } = this.#invisible
    const instance = this.#instances.get(id)
    return instance && writes && instance.createdAt + create > this.#clock.now() ? undefined : instance
  }
}
