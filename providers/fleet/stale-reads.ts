import type { Instance } from '../../api/instance.ts'

/** How long reads count as stale after a stale read was found. */
const lateForMs = 10 * 60_000

/**
 * Stale reads of one account. Clouds answer from copies of different age, so a read can lack an instance that an
 * earlier read has shown. This keeps since when lists show each attempt's instance, and when a read was last stale.
 */
export class StaleReads {
  /** By token: the first and the last list with the instance of the attempt. */
  readonly #shown = new Map<string, { first: number; last: number }>()
  #lateAt = Number.NEGATIVE_INFINITY

  listed(items: readonly Instance[], at: number): void {
    for (const { tag, state } of items) {
      if (tag && state !== 'leftover') {
        this.#shown.set(tag.token, { first: this.#shown.get(tag.token)?.first ?? at, last: at })
      }
    }
    for (const [token, { last }] of this.#shown) if (at - last > lateForMs) this.#shown.delete(token)
  }

  /** A read at this time lacked an instance that existed. */
  found(at: number): void {
    this.#lateAt = at
  }

  isFound(now: number): boolean {
    return now - this.#lateAt < lateForMs
  }

  /** Undefined when no list has shown it. */
  shownForMs(token: string, now: number): number | undefined {
    const shown = this.#shown.get(token)
    return shown && now - shown.first
  }
}
