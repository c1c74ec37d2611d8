import type { Ctx } from './ctx.ts'

/**
 * A signal that fires with the ctx's, or with `reason` when the time is over. Dispose of it after use, or it listens
 * for as long as the ctx lives.
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

  /** The time was over before the ctx was. */
  get isOver(): boolean {
    return this.#isOver
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Gives the whole time again: something was heard. */
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
