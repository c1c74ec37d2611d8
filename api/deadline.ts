import type { Ctx } from './ctx.ts'

/**
 * A signal that fires with that of the ctx, or with `reason` after the time. Dispose of it after use; otherwise it
 * listens as long as the ctx lives.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController()
  readonly #ctx: Ctx
  readonly #ms: number
  readonly #reason: () => Error
  readonly #follow = () => this.#controller.abort(this.#ctx.signal.reason)
  #cancel: () => void = () => {}
  #isOver = false

  constructor(ms: number, reason: () => Error, ctx: Ctx) {
    this.#ctx = ctx
    this.#ms = ms
    this.#reason = reason
    if (ctx.signal.aborted) {
      this.#follow()
      return
    }
    ctx.signal.addEventListener('abort', this.#follow, { once: true })
    this.restart()
  }

  /** Whether the time ended before the ctx did. */
  get isOver(): boolean {
    return this.#isOver
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Starts the time again, because there was an answer. */
  restart(): void {
    this.#cancel()
    this.#cancel = this.#ctx.clock.after(this.#ms, () => {
      if (this.signal.aborted) return
      this.#isOver = true
      this.#controller.abort(this.#reason())
    })
  }

  [Symbol.dispose](): void {
    this.#cancel()
    this.#ctx.signal.removeEventListener('abort', this.#follow)
  }
}
