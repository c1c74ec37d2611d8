import { backoffMs } from '../runtime/controller/backoff.ts'

interface Mended {
  readonly times: number
  readonly at: number
}

const pauses = { initialMs: 1_000, maxMs: 10 * 60_000, jitter: () => 0 }

/** The number of corrections before an event reports them. A person who edits twice does so on purpose. */
const toldAfter = 3

/**
 * The number of corrections of each object. If something changes the object back each time, the pauses between
 * corrections grow. Kept in memory only: after a restart there may be one correction more.
 */
export class Mendings {
  readonly #mended = new Map<string, Mended>()

  /** How long the object has to stay correct until the count starts again. */
  rest(key: string, now: number): number {
    const mended = this.#mended.get(key)
    return mended ? Math.max(0, mended.at + pauseAfter(mended) - now) : 0
  }

  /** Returns whether an event should report it. */
  mend(key: string, now: number): boolean {
    const times = (this.#mended.get(key)?.times ?? 0) + 1
    this.#mended.set(key, { times, at: now })
    return times >= toldAfter
  }

  /** The object is correct. A writer that changes it back may need a moment, so the count is kept for a while. */
  settle(key: string, now: number): void {
    const mended = this.#mended.get(key)
    if (mended && now >= mended.at + Math.max(pauses.maxMs, 2 * pauseAfter(mended))) this.#mended.delete(key)
  }

  forget(key: string): void {
    this.#mended.delete(key)
  }
}

function pauseAfter({ times }: Mended): number {
  return backoffMs({ ...pauses, failures: times })
}
