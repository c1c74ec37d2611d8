import type { Clock } from '../../../../api/ctx.ts'

/** What is still to happen to each instance, by the clock of the simulator. */
export class Timers<T extends object> {
  readonly #clock: Clock
  readonly #cancels = new Map<T, Set<() => void>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  later(instance: T, ms: number, run: () => void): void {
    const cancels = this.#cancels.get(instance) ?? new Set()
    this.#cancels.set(instance, cancels)
    const cancel = this.#clock.after(ms, () => {
      cancels.delete(cancel)
      if (cancels.size === 0) this.#cancels.delete(instance)
      run()
    })
    cancels.add(cancel)
  }

  /** Nothing that was still to happen to it happens. */
  cancel(instance: T): void {
    for (const cancel of this.#cancels.get(instance) ?? []) cancel()
    this.#cancels.delete(instance)
  }

  close(): void {
    for (const instance of this.#cancels.keys()) this.cancel(instance)
  }
}
