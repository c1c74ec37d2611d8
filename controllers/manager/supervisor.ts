import { clusters } from '../../api/kinds.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { Options } from '../../config/options.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { Scope } from '../../api/scope.ts'
import { elect, type Election } from './election.ts'
import { counted } from '../../providers/decorators/counted.ts'
import { guarded } from '../../providers/decorators/guarded.ts'
import { normalized, normalizedNotices } from '../../providers/decorators/normalized.ts'
import { InstanceMetrics } from '../metrics/instances.ts'
import { Metrics } from '../metrics/metrics.ts'
import { countPasses, countRequests } from '../metrics/observers.ts'
import { showCaches, showQueue, showVitals } from '../metrics/vitals.ts'
import { Part } from './part.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { PassMade } from '../runtime/controller/controller.ts'
import { EventLoop } from '../runtime/process/event-loop.ts'
import { checksPage } from '../runtime/process/health.ts'
import { PageServer, type Page } from '../runtime/process/page-server.ts'
import type { BindAddress } from '../runtime/process/serve-http.ts'
import type { Runnable } from '../runtime/process/manager.ts'
import { observed } from '../runtime/client/observed-client.ts'
import { Precedence } from '../runtime/controller/precedence.ts'
import { Queue } from '../runtime/controller/queue.ts'
import { Reachability } from '../runtime/process/reachability.ts'
import { unlessConnected, unlessHeld, type NamedCache } from '../runtime/process/write-gate.ts'

/** Clients of the management cluster. */
export interface Clients {
  readonly all: KubeClient
  /** For the lease alone, which must not wait behind a thousand other requests. */
  readonly lease: KubeClient
}

/** A hang of this length may have cost us the lease. */
const longestHangMs = 10_000

/** Watches over the manager: metrics, health, and the gates that hold back writes to clouds. */
export class Supervisor {
  readonly client: KubeClient
  readonly metrics: Metrics
  readonly election: Election
  readonly precedence: Precedence
  readonly #ctx: Ctx
  /** The caches that every part needs. */
  readonly #common: NamedCache[] = []
  readonly #parts = new Map<string, Part>()
  readonly #eventLoop: EventLoop
  readonly #reachability: Reachability
  readonly #instances: InstanceMetrics
  readonly #address: BindAddress | undefined

  static async start({ all, lease }: Clients, options: Options, ctx: Ctx): Promise<Supervisor> {
    const metrics = new Metrics()
    const count = countRequests(metrics)
    // Every part needs Clusters, and they change little. In a storm a list of Machines waits until the cache of the API
    // server has caught up, which took a minute with a thousand of them.
    const probe = (own: Ctx) => client.list(clusters, { namespace: options.namespace || undefined, limit: 1 }, own)
    const reachability = new Reachability({ probe }, ctx)
    const watched = (given: KubeClient) =>
      observed(given, (made) => {
        count(made)
        reachability.note(made)
      })
    const client = watched(all)
    const election = await elect(watched(lease), options, ctx)
    return new Supervisor({ client, metrics, reachability, election, address: options.metricsBindAddress }, ctx)
  }

  private constructor(parts: Parts, ctx: Ctx) {
    this.#ctx = ctx
    this.client = parts.client
    this.metrics = parts.metrics
    this.election = parts.election
    this.#reachability = parts.reachability
    this.#address = parts.address
    this.#eventLoop = new EventLoop(ctx)
    this.precedence = new Precedence(ctx)
    this.#instances = new InstanceMetrics(this.metrics, ctx)
    const isLeader = () => this.election.held()
    showVitals(this.metrics, { eventLoop: this.#eventLoop, isLeader })
    showCaches(this.metrics, () => this.#caches)
  }

  /** Starts first, so that people can see how the rest starts. */
  get runnables(): Runnable[] {
    const own: Runnable[] = [
      { name: 'Event loop watch', run: (ctx) => this.#eventLoop.run(ctx) },
      { name: 'API server watch', run: (ctx) => this.#reachability.run(ctx) },
    ]
    if (!this.#address) return own
    const server = new PageServer(
      { '/metrics': () => this.#metricsPage(), '/healthz': () => this.#health(), '/readyz': () => this.#readiness() },
      this.#address,
    )
    return [{ name: 'Metrics', run: (ctx) => server.run(ctx), ready: () => server.listening() }, ...own]
  }

  /**
   * A cache that every part needs. No controller starts before it has been listed, and nothing is written to a cloud
   * while its watch is broken.
   */
  cache(kind: string, cache: Pick<Cache<unknown>, 'run' | 'synced' | 'hasSynced' | 'connected'>): Runnable {
    this.#common.push({ kind, cache })
    return { name: `${kind} cache`, run: (ctx) => cache.run(ctx), ready: (ctx) => cache.synced(ctx) }
  }

  /** Returns the part of this name, and makes it at the first call. */
  part(name: string): Part {
    const known = this.#parts.get(name)
    if (known) return known
    const part = new Part({
      objections: [unlessHeld(this.election), unlessConnected(this.#common), () => this.#reachability.why()],
      prove: (own) => this.#reachability.prove(own),
      precedence: this.precedence,
      run: (controller) => this.#run(controller),
    })
    this.#parts.set(name, part)
    return part
  }

  /**
   * The same cloud. Its failures are CloudErrors, its calls are counted, and its writes are behind the gate.
   */
  cloud(cloud: Cloud, { gate }: Part): Cloud {
    return {
      ...cloud,
      instances: guarded(counted(normalized(cloud.instances), this.#instances), gate),
      ...(cloud.notices && { notices: cloud.notices.map(normalizedNotices) }),
    }
  }

  #run(controller: string): { queue: Queue; onPass: (made: PassMade) => void } {
    const queue = new Queue(this.#ctx)
    showQueue(this.metrics, controller, queue)
    return { queue, onPass: countPasses(this.metrics, controller) }
  }

  get #caches(): readonly NamedCache[] {
    return [...this.#common, ...[...this.#parts.values()].flatMap(({ caches }) => caches)]
  }

  /** The age of the list of the scope counts from now on. */
  readonly fleetBegun = (scope: Scope): void => this.#instances.follow(scope)

  /** Removes the instances of the scope from the metrics. */
  readonly fleetEnded = (scope: Scope): void => this.#instances.forget(scope)

  async #metricsPage(): Promise<Page> {
    return { status: 200, type: this.metrics.type, body: await this.metrics.text() }
  }

  #health(): Page {
    return checksPage({
      'event loop': () => {
        const { longestMs } = this.#eventLoop.lag()
        return longestMs < longestHangMs ? undefined : `It hung for ${Math.round(longestMs / 1000)} s.`
      },
      lease: () => (this.election.lost() ? 'It was lost; this process ends.' : undefined),
    })
  }

  /** A kind that cannot be listed stops its own part only, so it does not make the manager unready. */
  #readiness(): Page {
    const notYet = 'Not everything has been listed yet.'
    const common = this.#common.map(({ kind, cache }) => ({ kind, isReady: () => cache.hasSynced() }))
    const parts = [...this.#parts.values()].flatMap(({ caches }) => caches)
    const all = [...common, ...parts.map(({ kind, cache }) => ({ kind, isReady: () => cache.hasTried() }))]
    return checksPage(
      Object.fromEntries(all.map(({ kind, isReady }) => [`${kind} cache`, () => (isReady() ? undefined : notYet)])),
    )
  }
}

interface Parts {
  readonly client: KubeClient
  readonly metrics: Metrics
  readonly reachability: Reachability
  readonly election: Election
  readonly address: BindAddress | undefined
}
