import type { Tags } from './tags.ts'

/** Whatever has an id, tags and a beginning. What is on a shelf is changed in place, and its shelf told so. */
export interface Resource {
  readonly id: string
  /** Its place among all of its kind that there ever were. */
  readonly number: number
  readonly createdAt: number
  tags: Tags
}

/** Nothing looks further back: lists are late by seconds, in bad hours by minutes. */
const horizonMs = 15 * 60_000

interface Entry<T> {
  readonly from: number
  /** Undefined: gone since then. */
  readonly version: T | undefined
}

/** All resources of a kind, as they are and as they were. Ids are the same in any spelling. */
export class Shelf<T extends Resource> {
  readonly #items = new Map<string, T>()
  readonly #histories = new Map<string, readonly Entry<T>[]>()
  #made = 0

  /** For the next one. */
  nextNumber(): number {
    this.#made += 1
    return this.#made
  }

  add(item: T): void {
    this.#items.set(key(item), item)
    this.#remember(item, { from: item.createdAt, version: { ...item } })
  }

  /** It looks different now. */
  note(item: T, now: number): void {
    if (this.get(item.id) === item) this.#remember(item, { from: now, version: { ...item } })
  }

  remove(item: T, now: number): void {
    if (this.get(item.id) !== item) return
    this.#items.delete(key(item))
    this.#remember(item, { from: now, version: undefined })
    this.#forget(now)
  }

  get(id: string): T | undefined {
    return this.#items.get(id.toLowerCase())
  }

  /** What there is, in the order of creation. */
  get all(): readonly T[] {
    return [...this.#items.values()]
  }

  /** What each of them looked like at a moment: by `state` the resource, by `tags` its tags; undefined: not there. */
  at(moment: { readonly created: number; readonly state: number; readonly tags: number }): readonly T[] {
    const seen: T[] = []
    for (const entries of this.#histories.values()) {
      const [first] = entries
      if (!first?.version || first.version.createdAt > moment.created) continue
      const { version } = entryAt(entries, moment.state) ?? first
      if (!version) continue
      const tags = entryAt(entries, moment.tags)?.version?.tags ?? {}
      seen.push(tags === version.tags ? version : { ...version, tags })
    }
    return seen.sort((one, other) => one.number - other.number)
  }

  #remember(item: T, entry: Entry<T>): void {
    // A name that is used again is another resource: its number tells them apart.
    const name = `${key(item)} ${item.number}`
    const before = this.#histories.get(name) ?? []
    const kept = before.filter((_, at) => (before[at + 1]?.from ?? entry.from) > entry.from - horizonMs)
    this.#histories.set(name, [...kept, entry])
  }

  #forget(now: number): void {
    for (const [name, entries] of this.#histories) {
      const last = entries.at(-1)
      if (last && !last.version && last.from < now - horizonMs) this.#histories.delete(name)
    }
  }
}

function key({ id }: Resource): string {
  return id.toLowerCase()
}

function entryAt<T>(entries: readonly Entry<T>[], moment: number): Entry<T> | undefined {
  return entries.findLast(({ from }) => from <= moment)
}
