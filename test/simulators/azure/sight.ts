import type { Clock } from '../../../api/ctx.ts'
import { randomFrom } from '../common/random.ts'
import type { Resource, Shelf } from './resources.ts'

/** How late changes are seen, in milliseconds. What is left out is seen at once. */
export interface Invisible {
  /** A resource that was made. */
  readonly create?: number
  /** An end, and every other change of state. */
  readonly delete?: number
  /** Tags: also those that came with the resource. */
  readonly tags?: number
  /** A GET of one resource by its name knows no more than lists do. */
  readonly gets?: boolean
}

/** Every list is late by some time of its own: the same times for the same seed. */
export interface Lag {
  readonly minMs: number
  readonly maxMs: number
  readonly seed?: number
}

/** What calls see of the resources: in lists that is the past. Calls that change something do not look here. */
export class Sight {
  readonly #clock: Clock
  #invisible: Invisible = {}
  #lag: Lag = { minMs: 0, maxMs: 0 }
  #random = randomFrom(0)

  constructor(clock: Clock) {
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
  look<T extends Resource>(shelf: Shelf<T>): readonly T[] {
    const { minMs, maxMs } = this.#lag
    return this.#seenAfter(shelf, minMs + (maxMs - minMs) * this.#random())
  }

  /** For a call that asks for one. */
  find<T extends Resource>(shelf: Shelf<T>, id: string): T | undefined {
    if (!this.#invisible.gets) return shelf.get(id)
    return this.#seenAfter(shelf, 0).find((one) => one.id.toLowerCase() === id.toLowerCase())
  }

  #seenAfter<T extends Resource>(shelf: Shelf<T>, lateMs: number): readonly T[] {
    const { create = 0, delete: change = 0, tags = 0 } = this.#invisible
    if (lateMs + create + change + tags === 0) return shelf.all
    const moment = this.#clock.now() - lateMs
    return shelf.at({ created: moment - create, state: moment - change, tags: moment - tags })
  }
}
