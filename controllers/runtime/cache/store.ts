/** Returns the index values of an object. There may be none. */
export type Index<T> = (object: T) => readonly string[]

/**
 * An object with its index values. They are computed before the store changes, so that an index that throws changes
 * nothing.
 */
export interface Entry<T> {
  readonly key: string
  readonly object: T
  readonly filedUnder: ReadonlyMap<string, readonly string[]>
}

/** Objects by key and by index value. */
export class Store<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #indexes: ReadonlyMap<string, { valuesOf: Index<T>; keys: Map<string, Set<string>> }>

  constructor(indexes: Readonly<Record<string, Index<T>>> = {}) {
    this.#indexes = new Map(Object.entries(indexes).map(([name, valuesOf]) => [name, { valuesOf, keys: new Map() }]))
  }

  entry(key: string, object: T): Entry<T> {
    const filedUnder = new Map<string, readonly string[]>()
    for (const [name, { valuesOf }] of this.#indexes) filedUnder.set(name, valuesOf(object))
    return { key, object, filedUnder }
  }

  get(key: string): Entry<T> | undefined {
    return this.#entries.get(key)
  }

  keys(): Iterable<string> {
    return this.#entries.keys()
  }

  list(): T[] {
    return Array.from(this.#entries.values(), ({ object }) => object)
  }

  by(name: string, value: string): T[] {
    const index = this.#indexes.get(name)
    if (!index) {
      throw new Error(`The cache has no index "${name}"; it has ${[...this.#indexes.keys()].join(', ') || 'none'}.`)
    }
    const found: T[] = []
    for (const key of index.keys.get(value) ?? []) {
      const entry = this.#entries.get(key)
      if (entry) found.push(entry.object)
    }
    return found
  }

  put(entry: Entry<T>): void {
    this.delete(entry.key)
    this.#entries.set(entry.key, entry)
    for (const [name, values] of entry.filedUnder) {
      const keys = this.#indexes.get(name)?.keys
      for (const value of values) {
        const same = keys?.get(value)
        if (same) same.add(entry.key)
        else keys?.set(value, new Set([entry.key]))
      }
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    for (const [name, values] of entry.filedUnder) {
      const keys = this.#indexes.get(name)?.keys
      for (const value of values) {
        const same = keys?.get(value)
        same?.delete(key)
        if (same?.size === 0) keys?.delete(value)
      }
    }
  }
}
