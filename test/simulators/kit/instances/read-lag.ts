import type { Clock } from '../../../../api/ctx.ts'
import { randomFrom } from '../random.ts'

/** How late changes are seen, in milliseconds. What is left out is seen at once. */
export interface Invisible {
  /** What was made. */
  readonly create?: number
  /** A stop, an end, and every other change of state. */
  readonly delete?: number
  /** Tags, also those that came with what was made. */
  readonly tags?: number
  /** Calls that change something do not know of what was made any earlier than lists do. */
  readonly writes?: boolean
  /** A call that gets one resource knows no more than lists do. */
  readonly gets?: boolean
}

/** Every list is late by some time of its own: the same times for the same seed. */
export interface Lag {
  readonly minMs: number
  readonly maxMs: number
  readonly seed?: number
}

/** How late the answers of a cloud are now: what the sight of every simulator begins with. */
export class ReadLag {
  protected readonly clock: Clock
  protected unseen: Invisible = {}
  #lag: Lag = { minMs: 0, maxMs: 0 }
  #random = randomFrom(0)

  constructor(clock: Clock, lag?: Lag) {
    this.clock = clock
    if (lag) this.lag(lag)
  }

  invisible(how: Invisible): void {
    this.unseen = how
  }

  lag(lag: Lag): void {
    this.#lag = lag
    this.#random = randomFrom(lag.seed ?? 1)
  }

  /** How late one list is, in milliseconds: for each list anew. */
  protected nextLag(): number {
    const { minMs, maxMs } = this.#lag
    return minMs + (maxMs - minMs) * this.#random()
  }
}
