import { NodeCaches } from '../../../controllers/workload/node-caches.ts'
import { ApiError } from '../../../controllers/runtime/client/api-error.ts'
import type { KubeClient } from '../../../controllers/runtime/client/client.ts'
import { FakeApiserver } from '../fakes/fake-apiserver.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../fakes/quiet-ctx.ts'
import { until } from '../until.ts'
import { WorkloadNodes } from './workload-nodes.ts'

export const cluster = 'default/c1'
export const other = 'default/c2'
export const says = (type: string) => ({
  spec: { providerID: 'p' },
  status: { conditions: [{ type, status: 'True' }] },
})

/** A workload cluster, a management cluster, and the Nodes that one process knows. Dispose of it, or it goes on. */
export class NodeCachesWorld implements AsyncDisposable {
  readonly management = new FakeApiserver()
  readonly workload: WorkloadNodes
  readonly clock = new FakeClock()
  readonly log = keptLog()
  readonly caches: NodeCaches
  /** How often a Secret was read. */
  reads = 0
  isManagementAway = false
  /** The changes that were told. */
  readonly seen: string[] = []
  readonly stop = new AbortController()
  readonly running: Promise<void>

  private constructor(workload: WorkloadNodes) {
    this.workload = workload
    const client = this.management.client()
    const get: KubeClient['get'] = (...asked) => {
      this.reads++
      const away = new ApiError({ status: 503, reason: 'ServiceUnavailable', message: 'away' })
      return this.isManagementAway ? Promise.reject(away) : client.get(...asked)
    }
    this.caches = new NodeCaches({ management: { ...client, get }, random: () => 0 })
    this.caches.onChange(({ cluster: from, key, before, after }) => {
      this.seen.push(`${from} ${key} ${before ? 'was' : 'new'} ${after ? 'is' : 'gone'}`)
    })
    this.running = this.caches.run(quietCtx({ clock: this.clock, log: this.log, signal: this.stop.signal }))
  }

  static async start(): Promise<NodeCachesWorld> {
    return new NodeCachesWorld(await WorkloadNodes.start())
  }

  readonly conditions = (name = 'n1') => this.caches.get(cluster, name)?.status?.conditions?.map(({ type }) => type)

  readonly works = () => this.caches.state(cluster)?.works === true

  /** The cache of the cluster is complete and its watch is open. */
  async watched(): Promise<void> {
    this.workload.secretIn(this.management)
    this.workload.put({ name: 'n1' })
    this.caches.use(cluster, 'AWSMachine default/m1')
    await until(this.works, 'the first watch')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort(new Error('enough'))
    await this.running
    await this.workload[Symbol.asyncDispose]()
  }
}
