import { anyAction, isMeant } from './countdown.ts'
import { RandomByName } from '../random.ts'

export interface LatencyOptions {
  readonly minMs: number
  /** Left out: always `minMs`. */
  readonly maxMs?: number
  readonly seed?: number
  /** Left out: every action. */
  readonly action?: string
}

/** How long answers take on their way: the same times for the same seed. */
export class Latency {
  #options: LatencyOptions = { minMs: 0 }
  #random = new RandomByName(0)

  /** Undefined: at once. */
  set(options: LatencyOptions = { minMs: 0 }): void {
    this.#options = options
    this.#random = new RandomByName(options.seed ?? 1)
  }

  /** In milliseconds. */
  of(called: string): number {
    const { minMs, maxMs = minMs, action = anyAction } = this.#options
    if (!isMeant(action, called) || maxMs <= 0) return 0
    return minMs + (maxMs - minMs) * this.#random.next(called)
  }
}
