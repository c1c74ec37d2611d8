import type { Ctx } from '../../api/ctx.ts'

/** A signal that fires with the ctx's, or when the time is over. Dispose of it after use. */
export class TimeLimit implements Disposable {
  readonly #controller = new AbortController()
  readonly #signal: AbortSignal
  readonly #follow = () => this.#controller.abort(this.#signal.reason)
  readonly #cancel: () => void
  isOver = false

  constructor(ms: number, { signal, clock }: Ctx) {
    this.#signal = signal
    this.#cancel = clock.after(ms, () => {
      this.isOver = true
      this.#controller.abort(new Error('The time is over.'))
    })
    if (signal.aborted) this.#follow()
    else signal.addEventListener('abort', this.#follow, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  [Symbol.dispose](): void {
    this.#cancel()
    this.#signal.removeEventListener('abort', this.#follow)
  }
}
