import type { KubeObject } from '../../../api/meta.ts'
import type { Cache, Change } from '../../../controllers/runtime/cache/cache.ts'
import type { Index } from '../../../controllers/runtime/cache/store.ts'
import { keyOf } from '../../../controllers/runtime/client/resource.ts'

/** A cache that holds what the test puts there, and tells its listeners of each change. */
export class TellingCache<T extends KubeObject> implements Cache<T> {
  readonly #objects = new Map<string, T>()
  readonly #listeners = new Set<(change: Change<T>) => void>()
  readonly #indexes: Readonly<Record<string, Index<T>>>

  constructor(indexes: Readonly<Record<string, Index<T>>> = {}) {
    this.#indexes = indexes
  }

  put(after: T): void {
    const key = keyOf(after)
    const before = this.#objects.get(key)
    this.#objects.set(key, after)
    this.#tell({ key, ...(before ? { before } : {}), after })
  }

  remove(key: string): void {
    const before = this.#objects.get(key)
    if (this.#objects.delete(key)) this.#tell({ key, ...(before ? { before } : {}) })
  }

  get listeners(): number {
    return this.#listeners.size
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)
  }

  list(): T[] {
    return [...this.#objects.values()]
  }

  by(index: string, value: string): T[] {
    return this.list().filter((object) => this.#indexes[index]?.(object).includes(value))
  }

  hasSynced(): boolean {
    return true
  }

  connected(): boolean {
    return true
  }

  synced(): Promise<void> {
    return Promise.resolve()
  }

  run(): Promise<void> {
    return Promise.resolve()
  }

  onChange(listener: (change: Change<T>) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #tell(change: Change<T>): void {
    for (const listener of this.#listeners) listener(change)
  }
}
