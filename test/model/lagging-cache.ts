import { clusterKeyOf, owningMachineKey } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { machineDigest } from '../../providers/shared/ownership.ts'
import type { Cache, Change } from '../../controllers/runtime/cache/cache.ts'
import { deepFreeze } from '../../controllers/runtime/cache/freeze.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import { Store, type Index } from '../../controllers/runtime/cache/store.ts'
import type { Process } from './process.ts'

/** The cache of one process for a kind: in the right order, but with the delay of the world. */
export class LaggingCache<T extends KubeObject> implements Cache<T> {
  readonly #process: Process
  readonly #isConnected: () => boolean
  readonly #listeners = new Set<(change: Change<T>) => void>()
  readonly #store: Store<T>

  /** Begins with the present objects. `indexes`: more than those that all caches have. */
  constructor(
    process: Process,
    objects: readonly KubeObject[],
    isConnected: () => boolean,
    indexes: Readonly<Record<string, Index<T>>> = {},
  ) {
    this.#process = process
    this.#isConnected = isConnected
    const tag = (object: KubeObject) => [machineDigest(keyOf(object))]
    this.#store = new Store<T>({ cluster: clusterKeyOf, machine: owningMachineKey, tag, ...indexes })
    for (const object of objects) this.#put(object)
  }

  /** A change, and the time at which this process hears of it. */
  learn(key: string, object: KubeObject | undefined): void {
    this.#process.reach(() => {
      const before = this.#store.get(key)?.object
      if (object) this.#put(object)
      else this.#store.delete(key)
      const after = this.#store.get(key)?.object
      if (!before && !after) return
      for (const listener of this.#listeners) listener({ key, ...(before && { before }), ...(after && { after }) })
    })
  }

  get(key: string): T | undefined {
    return this.#store.get(key)?.object
  }

  list(): T[] {
    return this.#store.list()
  }

  by(index: string, value: string): T[] {
    return this.#store.by(index, value)
  }

  hasSynced(): boolean {
    return true
  }

  connected(): boolean {
    return this.#isConnected()
  }

  synced(): Promise<void> {
    return Promise.resolve()
  }

  onChange(listener: (change: Change<T>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  run(): Promise<void> {
    return Promise.resolve()
  }

  #put(object: KubeObject): void {
    this.#store.put(this.#store.entry(keyOf(object), deepFreeze(object) as T))
  }
}
