import { backoffMs } from '../runtime/controller/backoff.ts'

interface Mended {
  readonly times: number
  readonly at: number
}

const pauses = { initialMs: 1_000, maxMs: 10 * 60_000, jitter: () => 0 }

/** So often may a difference come back before somebody is told: a person who edits twice does so on purpose. */
const toldAfter = 3

/**
 * How often each object was put right, so that whoever changes it back each time meets pauses that grow, and no loop.
 * Kept in memory only: a restart may well put it right once more.
 */
export class Mendings {
  readonly #mended = new Map<string, Mended>()

  /** How long it has to stay as it is. */
  rest(key: string, now: number): number {
    const mended = this.#mended.get(key)
    return mended ? Math.max(0, mended.at + pauseAfter(mended) - now) : 0
  }

  /** Answers whether somebody should be told. */
  mend(key: string, now: number): boolean {
    const times = (this.#mended.get(key)?.times ?? 0) + 1
    this.#mended.set(key, { times, at: now })
    return times >= toldAfter
  }

  /** It is as it should be. Whoever changes it back may need a moment, so that is believed only after a while. */
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
