import type { Instance } from '../../api/instance.ts'
import { visibilityGraceMs } from '../wire/limits.ts'
import type { Listing } from './listing.ts'

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

  /** Drops what this list bears out, and what it is too late to wait for. Answers with that. */
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
