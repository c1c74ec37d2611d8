import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../errors.ts'

/** While something is pending or going. */
const busyIntervalMs = 3_000
const firstErrorPauseMs = 1_000
const mostErrorPauseMs = 60_000

/** How long the poller waits between two lists: it follows what is going on, and gives way when the cloud fails. */
export class Pace {
  readonly #quietMs: number
  readonly #busyMs: number
  #failures = 0
  #waitMs = 0
  #hurried = false
  #cutShort: ((ms: number) => void) | undefined

  constructor(quietMs: number) {
    this.#quietMs = quietMs
    this.#busyMs = Math.min(busyIntervalMs, quietMs)
  }

  listed(busy: boolean): void {
    this.#failures = 0
    this.#waitMs = busy ? this.#busyMs : this.#quietMs
  }

  /** Answers with the pause, which nothing cuts short: a cloud that fails is not asked more often because we want more. */
  failed(thrown: unknown): number {
    const asked = thrown instanceof CloudError ? (thrown.retryAfterMs ?? 0) : 0
    this.#waitMs = Math.max(asked, Math.min(firstErrorPauseMs * 2 ** this.#failures, mostErrorPauseMs))
    this.#failures += 1
    return this.#waitMs
  }

  /** The next list comes at the busy pace at the latest. */
  hurry(): void {
    if (this.#cutShort) this.#cutShort(this.#busyMs)
    else this.#hurried = true
  }

  /** The next list comes at once. */
  now(): void {
    this.#cutShort?.(0)
  }

  /** Ends when the next list is due or the signal fires. `wanted`: somebody waits for a list already. */
  async wait({ clock, signal }: Ctx, wanted: () => boolean): Promise<void> {
    const failing = this.#failures > 0
    const hurried = this.#hurried
    this.#hurried = false
    const shortened = wanted() ? 0 : hurried ? this.#busyMs : this.#waitMs
    await new Promise<void>((resolve) => {
      const end = () => {
        cancel()
        this.#cutShort = undefined
        signal.removeEventListener('abort', end)
        resolve()
      }
      const begun = clock.monotonic()
      let total = failing ? this.#waitMs : Math.min(shortened, this.#waitMs)
      let cancel = clock.after(total, end)
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      if (failing) return
      this.#cutShort = (ms) => {
        const soonest = clock.monotonic() - begun + ms
        if (soonest >= total) return
        cancel()
        total = soonest
        cancel = clock.after(ms, end)
      }
    })
  }
}
