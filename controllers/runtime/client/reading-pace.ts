import type { Ctx } from '../../../api/ctx.ts'

export interface Rate {
  readonly bytesPerSecond: number
  /** This much is read at once after a quiet time. */
  readonly burstBytes: number
}

/**
 * Reads answers and streams no faster than the rate. What is not read yet stays with the server. So a server that
 * others run cannot keep us busy with parsing what it sends.
 */
export class ReadingPace {
  readonly #rate: Rate | undefined
  #left: number
  #at: number | undefined

  /** Undefined: without limit. */
  constructor(rate: Rate | undefined) {
    this.#rate = rate
    this.#left = rate?.burstBytes ?? 0
  }

  /** Notes what was read. Resolves when more may be read. */
  async took(bytes: number, { clock, signal }: Pick<Ctx, 'clock' | 'signal'>): Promise<void> {
    if (!this.#rate) return
    const { bytesPerSecond, burstBytes } = this.#rate
    const now = clock.monotonic()
    const gained = ((now - (this.#at ?? now)) / 1_000) * bytesPerSecond
    this.#left = Math.min(burstBytes, this.#left + gained) - bytes
    this.#at = now
    if (this.#left < 0) await clock.sleep((-this.#left / bytesPerSecond) * 1_000, signal)
  }
}
