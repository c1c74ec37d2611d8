import type { Ctx } from '../../api/ctx.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { ApiError, isTooLarge } from '../runtime/client/api-error.ts'
import {
  createClient,
  type KubeClient,
  type ListOptions,
  type ListPage,
  type WatchEvent,
  type WatchOptions,
} from '../runtime/client/client.ts'
import { longestName } from './project-node.ts'
import { KubeconfigUnread, readKubeconfigSecret, type ClusterRef, type KubeconfigSecret } from './secret.ts'

/** The most Nodes of one Cluster: as many as Kubernetes is tested with. One that is kept has 8 KiB at most. */
export const mostNodes = 5_000

/** A changed Secret is read after this time at the latest, even if its old content still works. */
const freshForMs = 60_000
const timeoutMs = 10_000
/** A Node has at most 1.5 MiB in etcd, in a shorter form than JSON. */
const maxNodeChars = 4 * 1024 * 1024

/** 5,000 Nodes need a tenth of it, and a thousand notices at once are less than the burst. */
const rate = { bytesPerSecond: 4 * 1024 * 1024, burstBytes: 128 * 1024 * 1024 }

interface Opened {
  readonly version: string
  readonly client: KubeClient
  /** Fires when the Secret has another content. */
  readonly replaced: AbortController
}

export interface NodeClientOptions {
  readonly cluster: ClusterRef
  readonly management: KubeClient
  readonly random: () => number
  /** Called after each request. Undefined: the workload cluster answered it, and a watch is open. */
  readonly onResult: (thrown: unknown) => void
}

/**
 * Lists and watches the Nodes of one workload cluster. It is a client of its own that stays open, so that neither the
 * turns nor the failures of short uses concern it. It follows the Secret: it reads it again after a failure, and once
 * a minute while it is in use. With another content of the Secret every Node is listed anew, because it may lead to
 * another cluster.
 */
export class NodeClient implements Pick<KubeClient, 'list' | 'watch'> {
  readonly #options: NodeClientOptions
  readonly #names = new Set<string>()
  #opened: Opened | undefined
  #reading: Promise<Opened> | undefined
  #readAt = -Infinity
  /** The content of the Secret with which all Nodes were last listed. */
  #listed: Opened | undefined
  /** A kubeconfig with a fault is parsed once. */
  #refused: { readonly version: string; readonly thrown: unknown } | undefined

  constructor(options: NodeClientOptions) {
    this.#options = options
  }

  async list<T>(resource: Resource, options: ListOptions, ctx: Ctx): Promise<ListPage<T>> {
    try {
      const opened = await this.#current(ctx)
      const page = await opened.client.list(resource, options, ctx)
      // Without a selector only the version is of interest.
      if (options.labelSelector !== undefined) this.#note(page.items, options, opened)
      return page as ListPage<unknown> as ListPage<T>
    } catch (thrown) {
      throw this.#failed(thrown, ctx)
    }
  }

  async *watch<T>(resource: Resource, options: WatchOptions, ctx: Ctx): AsyncGenerator<WatchEvent<T>> {
    try {
      const opened = await this.#current(ctx)
      if (opened !== this.#listed) throw changedSecret()
      const onOpen = () => {
        this.#options.onResult(undefined)
        options.onOpen?.()
      }
      const signal = AbortSignal.any([ctx.signal, opened.replaced.signal])
      const events = opened.client.watch(resource, { ...options, onOpen }, { ...ctx, signal })
      for await (const event of events) {
        if (event.type === 'DELETED') this.#names.delete(event.object.metadata.name)
        else if (event.type !== 'BOOKMARK') this.#count([event.object])
        yield event as WatchEvent<unknown> as WatchEvent<T>
      }
    } catch (thrown) {
      throw this.#failed(thrown, ctx)
    }
  }

  /** Reads the Secret again once a minute, until ctx ends. Then it closes the client. */
  async follow(ctx: Ctx): Promise<void> {
    try {
      for (;;) {
        // Not all clusters at the same time.
        await ctx.clock.sleep(freshForMs * (1 - this.#options.random() / 4), ctx.signal)
        // A failure is the watch's to tell of. Without a client the next list reads the Secret.
        if (this.#opened) await this.#read(ctx).catch(() => {})
      }
    } catch (thrown) {
      if (!ctx.signal.aborted) throw thrown
    } finally {
      await this.#reading?.catch(() => {})
      await this.#close(new Error('The Nodes of this cluster are not watched any more.'))
    }
  }

  /** An error after which the Secret may have another content is followed by a look at it. */
  #failed(thrown: unknown, ctx: Ctx): unknown {
    if (ctx.signal.aborted || isTooLarge(thrown)) return thrown
    if (thrown instanceof ApiError && (thrown.status === 0 || thrown.status === 401)) this.#readAt = -Infinity
    if (!(thrown instanceof ApiError && thrown.status === 410)) this.#options.onResult(thrown)
    return thrown
  }

  async #current(ctx: Ctx): Promise<Opened> {
    const isFresh = ctx.clock.monotonic() - this.#readAt < freshForMs
    return this.#opened && isFresh ? this.#opened : this.#read(ctx)
  }

  #read(ctx: Ctx): Promise<Opened> {
    this.#reading ??= this.#open(ctx).finally(() => (this.#reading = undefined))
    return this.#reading
  }

  async #open(ctx: Ctx): Promise<Opened> {
    const { cluster, management } = this.#options
    const before = this.#opened
    try {
      const secret = await readKubeconfigSecret(cluster, management, ctx)
      this.#readAt = ctx.clock.monotonic()
      if (secret.version === before?.version) return before
      const connection = this.#connectionOf(secret)
      await this.#close(changedSecret())
      const options = { userAgent: 'cluster-api-provider-spot', timeoutMs, maxEventChars: maxNodeChars, rate }
      const { version } = secret
      this.#opened = { version, client: createClient(connection, options), replaced: new AbortController() }
      return this.#opened
    } catch (thrown) {
      if (before && thrown instanceof KubeconfigUnread) return before
      await this.#close(thrown)
      throw thrown
    }
  }

  #connectionOf(secret: KubeconfigSecret): ReturnType<KubeconfigSecret['connection']> {
    const { version } = secret
    if (this.#refused?.version === version) throw this.#refused.thrown
    try {
      return secret.connection()
    } catch (thrown) {
      this.#refused = { version, thrown }
      throw thrown
    }
  }

  async #close(reason: unknown): Promise<void> {
    const before = this.#opened
    this.#opened = undefined
    before?.replaced.abort(reason)
    await before?.client.close()
  }

  #note(items: readonly KubeObject[], { continue: token }: ListOptions, opened: Opened): void {
    if (token === undefined) {
      this.#names.clear()
      this.#listed = opened
    } else if (opened !== this.#listed) throw changedSecret()
    this.#count(items)
  }

  #count(items: readonly KubeObject[]): void {
    for (const { metadata } of items) {
      const { name } = metadata as { name?: unknown }
      if (typeof name !== 'string' || name.length > longestName) throw this.#refusedNodes(garbled())
      this.#names.add(name)
    }
    if (this.#names.size > mostNodes) throw this.#refusedNodes(tooMany())
  }

  /** The same events would come again and again. A list shows when the Nodes are acceptable. */
  #refusedNodes(why: ApiError): ApiError {
    this.#listed = undefined
    return why
  }
}

/** A 410: everything is listed anew, at once. */
function changedSecret(): ApiError {
  return new ApiError({ status: 410, reason: 'Expired', message: 'The kubeconfig has changed.' })
}

function garbled(): ApiError {
  return new ApiError({ status: 0, reason: 'Garbled', message: 'The workload cluster has sent a Node without a name.' })
}

function tooMany(): ApiError {
  const message = `The workload cluster has more than ${mostNodes} interruptible Nodes.`
  return new ApiError({ status: 0, reason: 'TooMany', message })
}
