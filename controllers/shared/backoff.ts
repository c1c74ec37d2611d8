import { backoffMs, type BackoffRange } from '../runtime/controller/backoff.ts'

const growing: BackoffRange = { initialMs: 1_000, maxMs: 5 * 60_000 }

interface Refused {
  readonly nowMs: number
  /** What the cloud or our own table asks for. */
  readonly atLeastMs?: number
  /** What the keys of questions begin with that this one takes the place of. */
  readonly insteadOf?: string
}

/**
 * When a machine may ask the cloud again after a refusal. The queue cannot know: whatever changes wakes a machine at
 * once, our own status too. Kept in memory only, for a restart may well ask once more, with the same token.
 */
export class Backoff {
  #paused = new Map<string, { failures: number; until: number }>()
  readonly #random: () => number

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /** How long the machine still has to wait; 0 when it may ask. */
  rest(key: string, nowMs: number): number {
    return Math.max(0, (this.#paused.get(key)?.until ?? 0) - nowMs)
  }

  /** The time is known, and nobody has failed: the pause does not grow. */
  until(key: string, { nowMs, ms }: { nowMs: number; ms: number }): void {
    this.#paused.set(key, { failures: this.#paused.get(key)?.failures ?? 0, until: nowMs + ms })
  }

  /** One more refusal: the pause grows with each in a row. */
  refused(key: string, { nowMs, atLeastMs = 0, insteadOf }: Refused): number {
    if (insteadOf !== undefined) this.#keepOnly(key, insteadOf)
    const failures = (this.#paused.get(key)?.failures ?? 0) + 1
    const pause = Math.max(atLeastMs, this.#pauseAfter(failures))
    this.#paused.set(key, { failures, until: nowMs + pause })
    return pause
  }

  /**
   * It was not refused, but is not done either: asked again in vain it grows as well, though not for ever. A refusal
   * that comes after many of these is a first one.
   */
  unfinished(key: string, { nowMs, atMostMs }: { nowMs: number; atMostMs: number }): void {
    const failures = this.#paused.get(key)?.failures ?? 0
    const pause = this.#pauseAfter(failures + 1)
    const counted = pause < atMostMs ? failures + 1 : failures
    this.#paused.set(key, { failures: counted, until: nowMs + Math.min(atMostMs, pause) })
  }

  /** It got what it asked for, or needs nothing any more. */
  clear(key: string): void {
    this.#paused.delete(key)
  }

  /** This key, and all that begin with it and go on after a space. */
  forget(key: string): void {
    this.#paused.delete(key)
    for (const other of this.#paused.keys()) if (other.startsWith(`${key} `)) this.#paused.delete(other)
  }

  /** How many are remembered. */
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
