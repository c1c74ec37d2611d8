import type { Ctx } from '../../api/ctx.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import { RecentMap } from './recent-map.ts'

export interface TtlCacheOptions<T> {
  /** How long this answer is good for. */
  keepMs(answer: T): number
  /** Beyond so many the oldest answers are dropped. */
  readonly most?: number
}

interface Kept<T> {
  readonly answer: T
  readonly until: number
}

interface Asking<T> {
  readonly answer: Promise<T>
  /** Of whoever asked: his call ends with it. */
  readonly signal: AbortSignal
}

/**
 * Answers that many need: asked for once, then good for a while. Who comes while the question is under way waits for
 * the same answer. A failure goes to all who wait for it and is not kept; that the asker gave up is no failure of the
 * others, one of whom then asks himself.
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
