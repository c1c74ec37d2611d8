import type { Ctx, Log } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import { nodeLabels } from '../../api/labels.ts'
import type { Node } from '../../api/machine.ts'
import { createCache, type Change, type Reflection } from '../runtime/cache/cache.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { KubeconfigNotSupported } from '../runtime/client/kubeconfig.ts'
import { NodeClient } from './node-client.ts'
import { projectNode } from './project-node.ts'
import { guide, KubeconfigMissing, KubeconfigUnread, secretNameOf, type ClusterRef } from './secret.ts'

/** Whether changes of the Nodes of a Cluster reach us. */
export interface NodeWatchState {
  readonly works: boolean
  /** A sentence for people. */
  readonly message: string
}

export interface NodeWatchOptions {
  readonly cluster: ClusterRef
  readonly management: KubeClient
  readonly onChange: (change: Change<Node>) => void
  readonly random?: () => number
}

/** A Node has 10 to 30 KB on the wire, most of it images. */
const pageSize = 100
/** While a workload cluster does not answer, nothing but its own Nodes waits for it. */
const maxAwayMs = 30_000
/** An outage is logged once, and a cluster that comes and goes no more often than this. */
const silentForMs = 10 * 60_000

/** A cache of the interruptible Nodes of one workload cluster. */
export class NodeWatch {
  readonly #cluster: ClusterRef
  readonly #client: NodeClient
  readonly #cache: Reflection<Node>
  #failures = 0
  #trouble: string | undefined = 'The Nodes of the workload cluster have not been listed yet.'
  #isLogged = false
  #loggedAt = -Infinity
  #ctx: Ctx | undefined

  constructor({ cluster, management, onChange, random = Math.random }: NodeWatchOptions) {
    this.#cluster = cluster
    this.#client = new NodeClient({ cluster, management, random, onResult: (thrown) => this.#note(thrown) })
    this.#cache = createCache({
      client: this.#client,
      resource: nodes,
      labelSelector: nodeLabels.interruptible,
      project: projectNode,
      pageSize,
      maxAwayMs,
      random,
    })
    this.#cache.onChange(onChange)
  }

  get(name: string): Node | undefined {
    return this.#cache.get(name)
  }

  list(): Node[] {
    return this.#cache.list()
  }

  state(): NodeWatchState {
    if (this.#trouble !== undefined) return { works: false, message: this.#trouble }
    return { works: true, message: 'The Nodes of the workload cluster are watched.' }
  }

  /** Lists and watches until ctx ends. No failure of the workload cluster ends it. */
  async run(ctx: Ctx): Promise<void> {
    this.#ctx = ctx
    await Promise.all([this.#cache.run({ ...ctx, log: quieter(ctx.log) }), this.#client.follow(ctx)])
  }

  #note(thrown: unknown): void {
    if (thrown === undefined) this.#recovered()
    else this.#failed(thrown)
  }

  #recovered(): void {
    if (this.#isLogged) this.#ctx?.log.info('Watching the Nodes of a workload cluster again')
    this.#failures = 0
    this.#trouble = undefined
    this.#isLogged = false
  }

  /** A connection that breaks once means nothing: proxies end watches. */
  #failed(thrown: unknown): void {
    this.#failures++
    if (this.#trouble === undefined && this.#failures === 1) return
    this.#trouble = whyNot(thrown, secretNameOf(this.#cluster))
    const now = this.#ctx?.clock.monotonic() ?? 0
    if (this.#isLogged || now - this.#loggedAt < silentForMs) return
    this.#isLogged = true
    this.#loggedAt = now
    const reason = thrown instanceof Error ? thrown.message.slice(0, 300) : 'unknown'
    this.#ctx?.log.warn('Not watching the Nodes of a workload cluster', { reason })
  }
}

/** The reflector tells of every failure. Each of many workload clusters may be away for days. */
function quieter(log: Log): Log {
  return {
    trace: (message, fields) => log.trace(message, fields),
    debug: (message, fields) => log.debug(message, fields),
    info: (message, fields) => log.debug(message, fields),
    warn: (message, fields) => log.debug(message, fields),
    error: (message, fields) => log.error(message, fields),
    with: (fields) => quieter(log.with(fields)),
  }
}

/**
 * The cause of a failed connection goes only to the log. Otherwise anybody who may write the Secret could scan the
 * manager's network.
 */
function whyNot(thrown: unknown, secret: string): string {
  if (thrown instanceof KubeconfigMissing || thrown instanceof KubeconfigUnread) return thrown.message
  if (thrown instanceof KubeconfigNotSupported) return `Secret ${secret}: ${thrown.message}`
  const { status, reason, message } = thrown instanceof ApiError ? thrown : { status: 0, reason: '', message: '' }
  if (status === 403) {
    return `The user of the kubeconfig in Secret ${secret} may not list and watch nodes. Grant it in the workload cluster; ${guide} has a manifest.`
  }
  if (status === 401) {
    return `The API server rejects the credentials of the kubeconfig in Secret ${secret}. Write new ones; ${guide} shows how to create them.`
  }
  if (reason === 'TooMany') return message
  return `The API server of the workload cluster gives no usable answer to the kubeconfig in Secret ${secret}. The manager tries again.`
}
