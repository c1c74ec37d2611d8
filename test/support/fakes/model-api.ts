import { ApiError } from '../../../controllers/runtime/client/api-error.ts'
import type { KubeClient, ListOptions, WatchEvent, WatchOptions } from '../../../controllers/runtime/client/client.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'

export const things: Resource = { group: 'x.io', version: 'v1', plural: 'things', kind: 'Thing', namespaced: true }

export interface Thing extends KubeObject {
  spec: { owner: string }
}

/** An API server with one kind of object: versions, history, compaction, pages of one moment, and its faults. */
export class ModelApi {
  readonly objects = new Map<string, Thing>()
  #version = 100
  #oldest = 100
  #history: { version: number; event: WatchEvent<Thing> }[] = []
  #pages = new Map<string, { version: number; rest: Thing[] }>()
  #watchers = new Set<(end?: Error | 'end') => void>()
  #failures: Error[] = []

  put(name: string, owner: string): void {
    const type = this.objects.has(`ns/${name}`) ? 'MODIFIED' : 'ADDED'
    const uid = this.objects.get(`ns/${name}`)?.metadata.uid ?? `uid-${this.#version}`
    const thing = { metadata: { name, namespace: 'ns', uid, resourceVersion: this.#next() }, spec: { owner } }
    this.objects.set(`ns/${name}`, thing)
    this.#record({ type, object: thing })
  }

  delete(name: string): void {
    const thing = this.objects.get(`ns/${name}`)
    if (!thing) return
    this.objects.delete(`ns/${name}`)
    this.#record({
      type: 'DELETED',
      object: { ...thing, metadata: { ...thing.metadata, resourceVersion: this.#next() } },
    })
  }

  /** Forgets the past: older versions and page tokens get 410. */
  compact(): void {
    this.#history = []
    this.#pages.clear()
    this.#oldest = this.#version
  }

  endWatches(how: Error | 'end'): void {
    this.#wake(how)
  }

  failNext(error: Error): void {
    this.#failures.push(error)
  }

  heal(): void {
    this.#failures = []
  }

  readonly client = {
    list: async (_: Resource, options: ListOptions) => {
      this.#mayFail()
      const page = options.continue
        ? this.#pages.get(options.continue)
        : { version: this.#version, rest: [...this.objects.values()] }
      if (!page) throw gone()
      const { version, rest } = page
      const limit = options.limit ?? 0
      const next = `page-${this.#pages.size}-${version}-${rest.length}`
      if (rest.length > limit) this.#pages.set(next, { version, rest: rest.slice(limit) })
      return {
        items: structuredClone(rest.slice(0, limit)),
        resourceVersion: String(version),
        ...(rest.length > limit ? { continue: next } : {}),
      }
    },
    watch: (_: Resource, options: WatchOptions) => this.#watch(options),
  } as unknown as Pick<KubeClient, 'list' | 'watch'>

  async *#watch({ resourceVersion, onOpen }: WatchOptions): AsyncGenerator<WatchEvent<Thing>> {
    this.#mayFail()
    onOpen?.()
    for (let seen = Number(resourceVersion); ;) {
      if (seen < this.#oldest) throw gone()
      const due = this.#history.filter(({ version }) => version > seen)
      for (const { version, event } of due) {
        seen = version
        yield structuredClone(event)
      }
      if (due.length > 0) continue
      const end = await new Promise<Error | 'end' | undefined>((resolve) => {
        const wake = (how?: Error | 'end') => {
          this.#watchers.delete(wake)
          resolve(how)
        }
        this.#watchers.add(wake)
      })
      if (end === 'end') return
      if (end) throw end
    }
  }

  #mayFail(): void {
    const error = this.#failures.shift()
    if (error) throw error
  }

  #next(): string {
    return String(++this.#version)
  }

  #record(event: WatchEvent<Thing>): void {
    this.#history.push({ version: this.#version, event })
    this.#wake()
  }

  #wake(how?: Error | 'end'): void {
    for (const wake of this.#watchers) wake(how)
  }
}

export const gone = () => new ApiError({ status: 410, reason: 'Expired', message: 'too old' })
