import type { Instance } from '../../api/instance.ts'
import { visibilityGraceMs } from '../wire/limits.ts'
import type { Listing } from './listing.ts'

// The lists of a cloud are eventually consistent: they lag, and clouds answer from copies of different age. Here stands
// what a store keeps beside its last list, so that a late read proves nothing false.

/** Answers of our own calls, which are newer than the last list. */
export class NotedInstances {
  readonly #noted = new Map<string, { readonly instance: Instance; readonly at: number }>()

  get size(): number {
    return this.#noted.size
  }

  note(instance: Instance, at: number): void {
    this.#noted.set(instance.id, { instance, at })
  }

  of(id: string): Instance | undefined {
    return this.#noted.get(id)?.instance
  }

  drop(id: string): void {
    this.#noted.delete(id)
  }

  /** Whether this list lacks something although it began after the answer: then it is stale. */
  isMissedBy({ items, begunAt, unreachableZones }: Listing): boolean {
    const shown = new Set(items.map(({ id }) => id))
    return this.#noted
      .values()
      .some(({ instance: { id, zone }, at }) => at < begunAt && !shown.has(id) && !unreachableZones.has(zone))
  }

  /** Drops and returns the answers that this list bears out, and those for which it is too late to wait. */
  settle({ items, begunAt, unreachableZones }: Listing): Instance[] {
    const shown = new Set(items.map(({ id }) => id))
    const settled: Instance[] = []
    for (const [id, { instance, at }] of this.#noted) {
      const isBorneOut = shown.has(id) && at < begunAt
      const mayLag = begunAt - at <= visibilityGraceMs || unreachableZones.has(instance.zone)
      if (mayLag && !isBorneOut) continue
      this.#noted.delete(id)
      settled.push(instance)
    }
    return settled
  }
}

const rememberedForMs = 24 * 60 * 60_000

/** Instances that no list shows, with the time since when, and instances that were proven gone. */
export class Absences {
  /** By id, or by token where no id is known. */
  readonly #awaited = new Map<string, number>()
  /** By id. It holds until a later list shows the instance all the same: then the reads before were stale. */
  readonly #gone = new Map<string, number>()

  /** How long this id or token has been looked for in vain; the first call begins the wait. */
  waitedForMs(what: string, now: number): number {
    const since = this.#awaited.get(what) ?? now
    this.#awaited.set(what, since)
    return now - since
  }

  found(what: string): void {
    this.#awaited.delete(what)
  }

  /** `asOf`: when the reads that prove it began. */
  gone(id: string, asOf: number): void {
    this.#gone.set(id, asOf)
    this.#awaited.delete(id)
  }

  goneAsOf(id: string): number | undefined {
    return this.#gone.get(id)
  }

  /** A list shows it. Answers whether it had been proven gone. */
  shown(id: string): boolean {
    this.#awaited.delete(id)
    return this.#gone.delete(id)
  }

  /** Forgets every entry that began more than a day ago. A later question looks once more. */
  forgetOld(now: number): void {
    for (const times of [this.#gone, this.#awaited]) {
      for (const [what, since] of times) if (now - since > rememberedForMs) times.delete(what)
    }
  }
}

/** How long reads count as stale after a stale read was found. */
const lateForMs = 10 * 60_000

/**
 * Stale reads of one account: a read can lack an instance that an earlier read has shown. This keeps since when lists
 * show each attempt's instance, and when a read was last stale.
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
