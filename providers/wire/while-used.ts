/** By then every bucket of a limiter is full again, and its pace is what it was: nothing is lost with it. */
export const idleMs = 60 * 60_000

interface Kept<T> {
  readonly what: T
  usedAt: number
}

/**
 * Clients, limiters and tokens by account and region: made when first asked for, dropped after an hour without a call.
 * A poller calls every minute, so what is dropped belongs to a place that no fleet lists any more.
 */
export class WhileUsed<T> {
  readonly #close: (what: T) => void
  readonly #kept = new Map<string, Kept<T>>()

  constructor(close: (what: T) => void = () => {}) {
    this.#close = close
  }

  get(key: string, make: () => T, now: number): T {
    const found = this.#kept.get(key)
    if (found) {
      found.usedAt = now
      return found.what
    }
    this.#dropIdle(now)
    const what = make()
    this.#kept.set(key, { what, usedAt: now })
    return what
  }

  get size(): number {
    return this.#kept.size
  }

  /** Only when another one comes: without that their number does not grow. */
  #dropIdle(now: number): void {
    for (const [key, { what, usedAt }] of this.#kept) {
      if (now - usedAt < idleMs) continue
      this.#kept.delete(key)
      this.#close(what)
    }
  }
}
