import type { Instance } from '../../api/instance.ts'

/** For how long reads that were found late are taken for late. */
const lateForMs = 10 * 60_000

/**
 * How far the reads of one account can be believed. Clouds answer from copies of different age: what one read has shown
 * the next may lack. So it is kept since when each attempt's instance is known, and when a read was last seen to be
 * late.
 */
export class StaleReads {
  /** Between which lists an attempt's instance was shown. By token. */
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

  /** A read at this time lacked what was there. */
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
