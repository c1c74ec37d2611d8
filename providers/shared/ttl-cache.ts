import type { Ctx } from '../../api/ctx.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import { RecentMap } from './recent-map.ts'

export interface TtlCacheOptions<T> {
  /** How long this answer is kept. */
  keepMs(answer: T): number
  /** The oldest answers beyond this number are dropped. */
  readonly most?: number
}

interface Kept<T> {
  readonly answer: T
  readonly until: number
}

interface Asking<T> {
  readonly answer: Promise<T>
  /** Of the caller that asks. The question ends with it. */
  readonly signal: AbortSignal
}

/**
 * A cache of answers that many callers need: each is asked for once, then kept for a while. Callers that come while a
 * question is under way wait for its answer. A failure goes to all who wait and is not kept. When the caller that asks
 * gives up, one of the others asks again.
 */
export class TtlCache<T> {
  readonly #options: TtlCacheOptions<T>
  readonly #kept: RecentMap<Kept<T>>
  readonly #asking = new Map<string, Asking<T>>()

  constructor(options: TtlCacheOptions<T>) {
    this.#options = options
    this.#kept = new RecentMap(options.most ?? 1_000)
  }

  async get(key: string, ask: () => Promise<T>, ctx: Ctx): Promise<T> {
    for (;;) {
      const kept = this.#kept.get(key)
      if (kept && ctx.clock.monotonic() < kept.until) return kept.answer
      const asking = this.#asking.get(key)
      if (!asking) return this.#ask(key, ask, ctx)
      try {
        return await unlessAborted(asking.answer, ctx.signal)
      } catch (thrown) {
        if (ctx.signal.aborted || !asking.signal.aborted) throw thrown
      }
    }
  }

  #ask(key: string, ask: () => Promise<T>, { clock, signal }: Ctx): Promise<T> {
    const answer = Promise.resolve()
      .then(ask)
      .then((given) => {
        this.#kept.set(key, { answer: given, until: clock.monotonic() + this.#options.keepMs(given) })
        return given
      })
      .finally(() => this.#asking.delete(key))
    this.#asking.set(key, { answer, signal })
    return answer
  }
}
