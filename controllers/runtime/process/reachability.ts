import type { Clock, Ctx } from '../../../api/ctx.ts'
import { ApiError, isTooLarge } from '../client/api-error.ts'
import { Deadline } from '../../../api/deadline.ts'
import type { RequestMade } from '../client/observed-client.ts'

export interface ReachabilityOptions {
  /** A read that needs etcd. It is sent only when there was no other answer for a while. */
  readonly probe: (ctx: Ctx) => Promise<unknown>
  readonly everyMs?: number
  /** A probe without an answer after this long has failed. */
  readonly answerMs?: number
  /** An older answer proves nothing any more. */
  readonly staleMs?: number
  /** An answer that is not older counts as an answer now. */
  readonly freshMs?: number
}

/** These requests are answered from etcd. An API server that has lost etcd can still answer a watch or /version. */
const proofs: ReadonlySet<string> = new Set(['get', 'list', 'create', 'patch', 'apply', 'delete'])

/**
 * Whether the API server answers, and not only its process. It uses the results of all our requests, and sends a small
 * read of its own when there are none. An open watch proves nothing: a dead connection counts as open for 90 s, and an
 * API server without etcd keeps its watches.
 *
 * The request that began last decides, because late failures of an outage arrive when the outage is over.
 */
export class Reachability {
  readonly #options: Required<ReachabilityOptions>
  readonly #clock: Clock
  #lastHeard = Number.NEGATIVE_INFINITY
  #lastFailed = { begunAt: Number.NEGATIVE_INFINITY, why: '' }

  constructor(options: ReachabilityOptions, { clock }: { clock: Clock }) {
    this.#options = { everyMs: 2_000, answerMs: 3_000, staleMs: 5_000, freshMs: 500, ...options }
    this.#clock = clock
  }

  /**
   * Notes the result of one request. A refusal proves nothing: a server that refuses one request may accept another.
   */
  note({ verb, begunAt, error }: RequestMade): void {
    if ((!error || isTooLarge(error)) && proofs.has(verb)) this.#heard(begunAt)
    else if (error?.status === 0 && verb !== 'watch') this.#failed(begunAt, error.message)
  }

  /** The reason why the API server counts as unreachable. Undefined: it is reachable. */
  why(): string | undefined {
    const age = this.#clock.monotonic() - this.#lastHeard
    if (age === Infinity) return this.#lastFailed.why || 'The API server has not answered yet.'
    if (this.#lastFailed.begunAt > this.#lastHeard) return this.#lastFailed.why
    return age > this.#options.staleMs ? `The API server has not answered for ${Math.round(age / 1000)} s.` : undefined
  }

  /** Sends a probe now, unless an answer has just arrived. `why` has the result. */
  async prove(ctx: Ctx): Promise<void> {
    const isFresh = this.#clock.monotonic() - this.#lastHeard < this.#options.freshMs
    if (!isFresh || this.why() !== undefined) await this.#probe(ctx)
  }

  /** Sends a probe whenever there was no answer for a while, until ctx ends. */
  async run(ctx: Ctx): Promise<void> {
    const { everyMs } = this.#options
    while (!ctx.signal.aborted) {
      if (this.#clock.monotonic() - this.#lastHeard >= everyMs) await this.#probe(ctx)
      const silence = this.#clock.monotonic() - this.#lastHeard
      const waitMs = silence < everyMs ? everyMs - silence : everyMs
      // The loop sees the end of ctx.
      await ctx.clock.sleep(waitMs, ctx.signal).catch(() => {})
    }
  }

  async #probe(ctx: Ctx): Promise<void> {
    const { probe, answerMs } = this.#options
    const begunAt = this.#clock.monotonic()
    using deadline = new Deadline(answerMs, () => noAnswer(answerMs), ctx)
    try {
      await probe({ ...ctx, signal: deadline.signal })
      this.#heard(begunAt)
    } catch (error) {
      if (ctx.signal.aborted) return
      this.#failed(begunAt, error instanceof Error ? error.message : 'The API server does not answer.')
    }
  }

  #heard(begunAt: number): void {
    this.#lastHeard = Math.max(this.#lastHeard, begunAt)
  }

  #failed(begunAt: number, why: string): void {
    if (begunAt >= this.#lastFailed.begunAt) this.#lastFailed = { begunAt, why }
  }
}

function noAnswer(ms: number): ApiError {
  const message = `The API server has not answered within ${ms / 1000} s.`
  return new ApiError({ status: 0, reason: 'Timeout', message })
}
