/**
 * After this time every bucket of a limiter is full again, and its rate is the full one. So nothing is lost with it.
 */
export const idleMs = 60 * 60_000

interface Kept<T> {
  readonly what: T
  usedAt: number
}

/**
 * Clients, limiters and tokens by account and region: made for the first call, dropped after an hour without a call. A
 * poller calls every minute, so only those are dropped that no fleet needs any more.
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

  /** Only when another one comes: otherwise their number does not grow. */
  #dropIdle(now: number): void {
    for (const [key, { what, usedAt }] of this.#kept) {
      if (now - usedAt < idleMs) continue
      this.#kept.delete(key)
      this.#close(what)
    }
  }
}
