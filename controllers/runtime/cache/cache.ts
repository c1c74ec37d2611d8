import type { Ctx, Log } from '../../../api/ctx.ts'
import type { Selection, WatchEvent, KubeClient } from '../client/client.ts'
import { unlessAborted } from '../../../api/unless-aborted.ts'
import { deepFreeze } from './freeze.ts'
import { reflect, type RelistReason, type Sink } from './reflector.ts'
import type { KubeObject, ObjectMeta, Resource } from '../../../api/meta.ts'
import { keyOf } from '../client/resource.ts'
import { Store, type Entry, type Index } from './store.ts'

export interface CacheOptions<T> extends Selection {
  readonly client: Pick<KubeClient, 'list' | 'watch'>
  readonly resource: Resource
  /**
   * Returns the fields that somebody reads, and metadata. It must keep metadata.resourceVersion, or every list looks
   * like a change of every object.
   */
  project(raw: KubeObject): T
  readonly indexes?: Readonly<Record<string, Index<T>>>
  readonly pageSize?: number
  readonly random?: () => number
  /** The longest wait while the API server does not answer. Default: 5 s. */
  readonly maxAwayMs?: number
  readonly onRelist?: (reason: RelistReason) => void
}

export interface Change<T> {
  readonly key: string
  /** Undefined: it is new. */
  readonly before?: T
  /** Undefined: it is gone. */
  readonly after?: T
  /** The object was in the first list. */
  readonly initial?: true
}

/** A copy of the objects of one kind. Every object that it returns is frozen. */
export interface Cache<T> {
  get(key: string): T | undefined
  list(): T[]
  by(index: string, value: string): T[]
  /** Whether a complete list has been read. */
  hasSynced(): boolean
  synced(ctx: Ctx): Promise<void>
  /** Whether the watch is open. False while the API server does not answer. */
  connected(): boolean
  /**
   * The store already contains the change when the listener is called. Returns a function that removes the listener.
   */
  onChange(listener: (change: Change<T>) => void): () => void
  /** Lists and watches until ctx ends. */
  run(ctx: Ctx): Promise<void>
}

/** A cache with the state of its first list. */
export interface Reflection<T> extends Cache<T> {
  /**
   * Resolves after the first complete list, or after the first failure to get one: the rest of the program need not
   * wait longer.
   */
  tried(ctx: Ctx): Promise<void>
  hasTried(): boolean
}

export function createCache<T extends { metadata: ObjectMeta }>(options: CacheOptions<T>): Reflection<T> {
  const { client, resource, namespace, labelSelector, fieldSelector, onRelist } = options
  const { pageSize = 500, random = Math.random, maxAwayMs } = options
  const mirror = new Mirror<T>(options)
  const selection = { namespace, labelSelector, fieldSelector }
  const source = {
    client,
    resource,
    ...selection,
    pageSize,
    random,
    maxAwayMs,
    onRelist,
    onFailure: () => mirror.triedOnce(),
  }
  return {
    get: (key) => mirror.store.get(key)?.object,
    list: () => mirror.store.list(),
    by: (index, value) => mirror.store.by(index, value),
    hasSynced: () => mirror.isSynced,
    synced: (ctx) => unlessAborted(mirror.synced.promise, ctx.signal),
    tried: (ctx) => unlessAborted(mirror.tried.promise, ctx.signal),
    hasTried: () => mirror.hasTried,
    connected: () => mirror.isConnected,
    onChange: (listener) => {
      mirror.listeners.add(listener)
      return () => {
        mirror.listeners.delete(listener)
      }
    },
    run: (ctx) => reflect(source, mirror.sink(ctx.log), ctx),
  }
}

class Mirror<T extends { metadata: ObjectMeta }> {
  readonly store: Store<T>
  readonly listeners = new Set<(change: Change<T>) => void>()
  readonly synced = Promise.withResolvers<void>()
  readonly tried = Promise.withResolvers<void>()
  hasTried = false
  isSynced = false
  isConnected = false
  readonly #project: (raw: KubeObject) => T

  constructor(options: CacheOptions<T>) {
    this.store = new Store(options.indexes)
    this.#project = (raw) => deepFreeze(options.project(raw))
  }

  triedOnce(): void {
    this.hasTried = true
    this.tried.resolve()
  }

  sink(log: Log): Sink {
    return {
      relist: () => {
        const found = new Map<string, Entry<T>>()
        return {
          add: (items) => items.forEach((raw) => this.#collect(raw, found, log)),
          commit: () => this.#replace(found, log),
        }
      },
      apply: (event) => this.#apply(event, log),
      connected: (yes) => {
        this.isConnected = yes
      },
    }
  }

  #collect(raw: KubeObject, found: Map<string, Entry<T>>, log: Log): void {
    const before = this.store.get(keyOf(raw))
    const same = before && sameVersion(before.object.metadata, raw.metadata)
    const entry = same ? before : (this.#entry(raw, log) ?? before)
    if (entry) found.set(entry.key, entry)
  }

  #replace(found: ReadonlyMap<string, Entry<T>>, log: Log): void {
    const changes: Change<T>[] = []
    for (const key of this.store.keys()) {
      const before = this.store.get(key)
      if (!before || found.has(key)) continue
      this.store.delete(key)
      changes.push({ key, before: before.object })
    }
    for (const entry of found.values()) {
      const before = this.store.get(entry.key)
      if (before === entry) continue
      this.store.put(entry)
      changes.push({ ...changeOf(before, entry), ...(this.isSynced ? {} : { initial: true }) })
    }
    this.isSynced = true
    this.synced.resolve()
    this.triedOnce()
    for (const change of changes) this.#tell(change, log)
  }

  #apply({ type, object: raw }: WatchEvent<KubeObject>, log: Log): void {
    const key = keyOf(raw)
    const before = this.store.get(key)
    if (type === 'DELETED') {
      this.store.delete(key)
      if (before) this.#tell({ key, before: before.object }, log)
      return
    }
    const entry = this.#entry(raw, log)
    if (!entry) return
    this.store.put(entry)
    this.#tell(changeOf(before, entry), log)
  }

  /**
   * Undefined for an object that cannot be projected or indexed: its old state stays, and no other object is affected.
   */
  #entry(raw: KubeObject, log: Log): Entry<T> | undefined {
    try {
      return this.store.entry(keyOf(raw), this.#project(raw))
    } catch (error) {
      log.error('Keeping an object as it was, it cannot be read', { object: keyOf(raw), error })
      return undefined
    }
  }

  #tell(change: Change<T>, log: Log): void {
    for (const listener of this.listeners) {
      try {
        listener(change)
      } catch (error) {
        log.error('Going on after a listener failed', { object: change.key, error })
      }
    }
  }
}

function changeOf<T>(before: Entry<T> | undefined, { key, object: after }: Entry<T>): Change<T> {
  return before ? { key, before: before.object, after } : { key, after }
}

function sameVersion(a: ObjectMeta, b: ObjectMeta): boolean {
  return a.resourceVersion !== undefined && a.resourceVersion === b.resourceVersion && a.uid === b.uid
}
