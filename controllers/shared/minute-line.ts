import type { Ctx } from '../../api/ctx.ts'

const everyMs = 60_000

/**
 * Counts what anybody may cause again and again. A line tells the numbers at once, and then once a minute while there
 * are any: neither a flood nor the last of it is lost.
 */
export class MinuteLine {
  readonly #tell: (counts: Readonly<Record<string, number>>) => void
  readonly #ctx: Pick<Ctx, 'clock' | 'signal'>
  #isResting = false
  #untold: Record<string, number> = {}

  constructor(tell: (counts: Readonly<Record<string, number>>) => void, ctx: Pick<Ctx, 'clock' | 'signal'>) {
    this.#tell = tell
    this.#ctx = ctx
  }

  /** `what`: of a small set. */
  add(what: string): void {
    this.#untold[what] = (this.#untold[what] ?? 0) + 1
    if (!this.#isResting) this.#say()
  }

  #say(): void {
    const { clock, signal } = this.#ctx
    const counts = this.#untold
    this.#untold = {}
    this.#isResting = Object.keys(counts).length > 0
    if (!this.#isResting) return
    this.#tell(counts)
    // The last numbers of a process that ends are not worth a timer.
    if (signal.aborted) return
    const stop = () => cancel()
    const cancel = clock.after(everyMs, () => {
      signal.removeEventListener('abort', stop)
      this.#say()
    })
    signal.addEventListener('abort', stop, { once: true })
  }
}
