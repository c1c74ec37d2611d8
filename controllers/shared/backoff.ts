import { backoffMs, type BackoffRange } from '../runtime/controller/backoff.ts'

const growing: BackoffRange = { initialMs: 1_000, maxMs: 5 * 60_000 }

interface Refused {
  readonly nowMs: number
  /** The shortest pause, from the cloud or from our own table. */
  readonly atLeastMs?: number
  /** Keys that begin with this text and a space are replaced by this one. */
  readonly insteadOf?: string
}

/**
 * When a call that was refused may be made again. The queue cannot hold it back, because every change wakes a machine
 * at once, also a change of its own status. It is kept in memory only: after a restart one more call with the same
 * token does no harm.
 */
export class Backoff {
  #paused = new Map<string, { failures: number; until: number }>()
  readonly #random: () => number

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /** Returns how long to wait. 0: the call may be made. */
  rest(key: string, nowMs: number): number {
    return Math.max(0, (this.#paused.get(key)?.until ?? 0) - nowMs)
  }

  /** Sets a known pause. It is no failure, so the pauses do not grow. */
  until(key: string, { nowMs, ms }: { nowMs: number; ms: number }): void {
    this.#paused.set(key, { failures: this.#paused.get(key)?.failures ?? 0, until: nowMs + ms })
  }

  /** Counts one more refusal and returns the pause, which grows with each in a row. */
  refused(key: string, { nowMs, atLeastMs = 0, insteadOf }: Refused): number {
    if (insteadOf !== undefined) this.#keepOnly(key, insteadOf)
    const failures = (this.#paused.get(key)?.failures ?? 0) + 1
    const pause = Math.max(atLeastMs, this.#pauseAfter(failures))
    this.#paused.set(key, { failures, until: nowMs + pause })
    return pause
  }

  /**
   * The call was not refused, but the work is not finished. The pause grows up to `atMostMs`, and a refusal after many
   * of these counts as the first.
   */
  unfinished(key: string, { nowMs, atMostMs }: { nowMs: number; atMostMs: number }): void {
    const failures = this.#paused.get(key)?.failures ?? 0
    const pause = this.#pauseAfter(failures + 1)
    const counted = pause < atMostMs ? failures + 1 : failures
    this.#paused.set(key, { failures: counted, until: nowMs + Math.min(atMostMs, pause) })
  }

  /** The call has succeeded, or is not needed any more. */
  clear(key: string): void {
    this.#paused.delete(key)
  }

  /** Removes this key, and every key that begins with it and a space. */
  forget(key: string): void {
    this.#paused.delete(key)
    for (const other of this.#paused.keys()) if (other.startsWith(`${key} `)) this.#paused.delete(other)
  }

  /** The number of keys. */
  get size(): number {
    return this.#paused.size
  }

  #keepOnly(key: string, start: string): void {
    for (const other of this.#paused.keys()) {
      if (other !== key && other.startsWith(`${start} `)) this.#paused.delete(other)
    }
  }

  #pauseAfter(failures: number): number {
    return backoffMs({ ...growing, failures, jitter: this.#random })
  }
}
