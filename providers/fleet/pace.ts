import { growingPauseMs } from '../wire/growing-pause.ts'
import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'

/** While something is pending or going. */
const busyIntervalMs = 3_000
/** After `hurry` the list waits until nothing more was asked for this long. */
const afterLastMs = 1_200
/** Between a list and one that `soon` adds. */
const leastPauseMs = 1_000
const firstErrorPauseMs = 1_000
/** Or the time between two lists, if that is longer: what fails is not asked more often than what works. */
const mostErrorPauseMs = 60_000

/** The wait between two lists: short while instances change, long while the cloud fails. */
export class Pace {
  readonly #quietMs: number
  readonly #busyMs: number
  readonly #mostPauseMs: number
  #failures = 0
  #waitMs = 0
  #hurried = false
  #wantedSoon = false
  #waitingSince = 0
  #cutShort: ((withinMs: number, quietMs: number) => void) | undefined
  #end: (() => void) | undefined

  constructor(quietMs: number) {
    this.#quietMs = quietMs
    this.#busyMs = Math.min(busyIntervalMs, quietMs)
    this.#mostPauseMs = Math.max(mostErrorPauseMs, quietMs)
  }

  listed(busy: boolean): void {
    this.#failures = 0
    this.#waitMs = busy ? this.#busyMs : this.#quietMs
  }

  /** Returns the pause. Nothing cuts it short, because a failing cloud must not get more calls. */
  failed(thrown: unknown): number {
    const asked = thrown instanceof CloudError ? (thrown.retryAfterMs ?? 0) : 0
    this.#waitMs = Math.max(
      asked,
      growingPauseMs(this.#failures + 1, { firstMs: firstErrorPauseMs, mostMs: this.#mostPauseMs }),
    )
    this.#failures += 1
    return this.#waitMs
  }

  /**
   * The next list comes within the busy interval. After many calls of this it comes a moment after the last, so that
   * many launches cost no more lists and their end is seen soon.
   */
  hurry(): void {
    if (this.#cutShort) this.#cutShort(this.#busyMs, Math.min(afterLastMs, this.#busyMs))
    else this.#hurried = true
  }

  /** The next list comes at once. */
  now(): void {
    this.#cutShort?.(0, 0)
  }

  /** The next list comes at once, but not within a second of the last one. */
  soon({ clock }: Pick<Ctx, 'clock'>): void {
    if (!this.#cutShort) {
      this.#wantedSoon = true
      return
    }
    const pauseMs = Math.max(0, leastPauseMs - (clock.monotonic() - this.#waitingSince))
    this.#cutShort(pauseMs, pauseMs)
  }

  /** The last failure does not count for the next list, which comes at once. */
  restart(): void {
    this.#failures = 0
    this.#end?.()
  }

  /** Ends when the next list is due or the signal fires. `wanted`: whether a caller already waits for a list. */
  async wait({ clock, signal }: Ctx, wanted: () => boolean): Promise<void> {
    const failing = this.#failures > 0
    const [hurried, wantedSoon] = [this.#hurried, this.#wantedSoon]
    this.#hurried = false
    this.#wantedSoon = false
    const begun = clock.monotonic()
    this.#waitingSince = begun
    await new Promise<void>((resolve) => {
      let latest = Number.POSITIVE_INFINITY
      let cancel = () => {}
      const end = () => {
        cancel()
        this.#cutShort = undefined
        this.#end = undefined
        signal.removeEventListener('abort', end)
        resolve()
      }
      const dueIn = (ms: number) => {
        cancel()
        cancel = clock.after(ms, end)
      }
      dueIn(this.#waitMs)
      this.#end = end
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      if (failing || signal.aborted) return
      this.#cutShort = (withinMs, quietMs) => {
        const now = clock.monotonic() - begun
        latest = Math.min(latest, this.#waitMs, now + withinMs)
        dueIn(Math.max(0, Math.min(latest - now, quietMs)))
      }
      if (wanted()) this.now()
      else if (wantedSoon) this.soon({ clock })
      else if (hurried) this.hurry()
    })
  }
}
