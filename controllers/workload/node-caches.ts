import type { Ctx } from '../../api/ctx.ts'
import type { Node } from '../../api/machine.ts'
import type { Change } from '../runtime/cache/cache.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { parseKey } from '../runtime/client/resource.ts'
import { NodeWatch, type NodeWatchState } from './node-watch.ts'

/** How long the Nodes of a Cluster without users are still watched. Its next machine may come soon. */
export const unusedForMs = 5 * 60_000

/** A change of a Node. When the watch of a Cluster ends, all its Nodes are gone. */
export type NodeChange = Change<Node> & { readonly cluster: string }

export interface NodeCachesOptions {
  /** Of the management cluster, for the Secrets. */
  readonly management: KubeClient
  readonly random?: () => number
}

interface Watched {
  readonly cluster: string
  readonly watch: NodeWatch
  readonly stop: AbortController
  readonly users: Set<string>
  cancelEnd: () => void
}

/**
 * The interruptible Nodes of workload clusters, each by the key `namespace/name` of its Cluster. The watch of a Cluster
 * begins with its first user, ends some minutes after the last has left, and ends at once with the Cluster. A user is
 * an interruptible infra machine.
 *
 * Nothing waits for these caches: they are part of no write gate and not of /readyz, and each cluster has its own
 * client and its own pauses.
 */
export class NodeCaches {
  readonly #options: NodeCachesOptions
  readonly #watched = new Map<string, Watched>()
  /** By user: the key of the Cluster. */
  readonly #used = new Map<string, string>()
  readonly #running = new Set<Promise<void>>()
  readonly #listeners = new Set<(change: NodeChange) => void>()
  #life: Ctx | undefined

  constructor(options: NodeCachesOptions) {
    this.#options = options
  }

  /** From now on the user uses the Nodes of this Cluster and of no other. */
  use(cluster: string, user: string): void {
    if (this.#used.get(user) === cluster) return
    this.leave(user)
    const watched = this.#watched.get(cluster) ?? this.#add(cluster)
    watched.users.add(user)
    watched.cancelEnd()
    this.#used.set(user, cluster)
  }

  leave(user: string): void {
    const watched = this.#watched.get(this.#used.get(user) ?? '')
    this.#used.delete(user)
    if (!watched?.users.delete(user) || watched.users.size > 0) return
    watched.cancelEnd()
    if (!this.#life) this.#end(watched)
    else watched.cancelEnd = this.#life.clock.after(unusedForMs, () => this.#end(watched))
  }

  /** The Cluster is gone, and its users with it. */
  forget(cluster: string): void {
    const watched = this.#watched.get(cluster)
    if (!watched) return
    for (const user of watched.users) this.#used.delete(user)
    this.#end(watched)
  }

  get(cluster: string, node: string): Node | undefined {
    return this.#watched.get(cluster)?.watch.get(node)
  }

  /** Undefined: the Cluster has no interruptible machines. */
  state(cluster: string): NodeWatchState | undefined {
    return this.#watched.get(cluster)?.watch.state()
  }

  /** The cache already contains the change when the listener is called. Returns a function that removes it. */
  onChange(listener: (change: NodeChange) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Watches until ctx ends. What was used before begins now. */
  async run(ctx: Ctx): Promise<void> {
    this.#life = ctx
    for (const watched of this.#watched.values()) this.#start(watched, ctx)
    await new Promise<void>((resolve) => {
      if (ctx.signal.aborted) resolve()
      ctx.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    for (const { cancelEnd } of this.#watched.values()) cancelEnd()
    await Promise.all(this.#running)
  }

  #add(cluster: string): Watched {
    const tell = (change: Change<Node>) => this.#tell({ ...change, cluster })
    const { namespace = '', name } = parseKey(cluster)
    const watch = new NodeWatch({ cluster: { namespace, name }, ...this.#options, onChange: tell })
    const watched = { cluster, watch, stop: new AbortController(), users: new Set<string>(), cancelEnd: () => {} }
    this.#watched.set(cluster, watched)
    if (this.#life) this.#start(watched, this.#life)
    return watched
  }

  #start({ cluster, watch, stop }: Watched, life: Ctx): void {
    const log = life.log.with({ Cluster: cluster })
    const ctx = { ...life, log, signal: AbortSignal.any([life.signal, stop.signal]) }
    const running = watch
      .run(ctx)
      .catch((error: unknown) => log.error('The watch of the Nodes of a workload cluster has ended', { error }))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  #end({ cluster, watch, stop, cancelEnd }: Watched): void {
    cancelEnd()
    this.#watched.delete(cluster)
    stop.abort(new Error('The Nodes of this cluster have no users.'))
    for (const before of watch.list()) this.#tell({ key: before.metadata.name, before, cluster })
  }

  #tell(change: NodeChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}
