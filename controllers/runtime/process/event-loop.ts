import type { Clock, Ctx } from '../../../api/ctx.ts'

export interface Lag {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
}

const everyMs = 20
/** Half a minute of samples. */
const samples = 1_500

/**
 * Measures how late the event loop was in the last half minute. A hang counts once for every sample that it swallowed,
 * so that the percentiles measure time. Node's own monitor counts a hang of five seconds as one late sample among
 * 1,500.
 */
export class EventLoop {
  readonly #clock: Clock
  readonly #late = new Float64Array(samples)
  #taken = 0
  #due = Infinity

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  async run({ clock, signal }: Ctx): Promise<void> {
    while (!signal.aborted) {
      this.#due = clock.monotonic() + everyMs
      // The loop sees the end of ctx.
      await clock.sleep(everyMs, signal).catch(() => {})
      if (!signal.aborted) this.#note(clock.monotonic() - this.#due)
    }
  }

  lag(): Lag {
    const overdue = Math.max(0, this.#clock.monotonic() - this.#due)
    const seen = this.#late.subarray(0, Math.min(this.#taken, samples)).toSorted()
    const at = (share: number) => seen[Math.min(seen.length - 1, Math.floor(seen.length * share))] ?? 0
    return { p50Ms: at(0.5), p99Ms: at(0.99), longestMs: Math.max(seen.at(-1) ?? 0, overdue) }
  }

  #note(lateMs: number): void {
    const swallowed = Math.min(Math.floor(Math.max(0, lateMs) / everyMs), samples - 1)
    for (let missed = swallowed; missed >= 0; missed--) {
      this.#late[this.#taken++ % samples] = Math.max(0, lateMs - (swallowed - missed) * everyMs)
    }
  }
}
