import type { ServerResponse } from 'node:http'
import type { Node } from '../../../api/machine.ts'
import { openWatch, sendJson, sendStatus, type StubRequest } from '../fakes/apiserver-stub.ts'
import type { FakeApiserver } from '../fakes/fake-apiserver.ts'
import { WorkloadStub } from '../fakes/workload-stub.ts'

type Send = ReturnType<typeof openWatch>

/** The Nodes of a workload cluster over TLS: pages and watches, as far as a cache leans on them. */
export class WorkloadNodes implements AsyncDisposable {
  readonly stub: WorkloadStub
  /** By name. */
  readonly nodes = new Map<string, Node>()
  /** Connections break as soon as they say something. */
  isAway = false
  /** The user may not list. */
  isDenied = false
  /** The version of the last change: another server begins elsewhere. */
  version: number
  readonly #watches = new Set<{ send: Send; response: ServerResponse }>()

  private constructor(stub: WorkloadStub, version: number) {
    this.stub = stub
    this.version = version
    stub.instead = (request, response) => this.#answer(request, response)
  }

  static async start(version = 100): Promise<WorkloadNodes> {
    return new WorkloadNodes(await WorkloadStub.start(), version)
  }

  /** Writes the Secret that leads here. */
  secretIn(management: FakeApiserver, name = 'c1'): void {
    const metadata = { namespace: 'default', name: `${name}-kubeconfig`, uid: 'secret' }
    management.put('Secret', { metadata, data: this.stub.kubeconfig() } as never)
  }

  put(node: Omit<Node, 'metadata'> & { name: string }): void {
    const { name, ...rest } = node
    const type = this.nodes.has(name) ? 'MODIFIED' : 'ADDED'
    const metadata = { name, uid: `uid-${name}`, resourceVersion: String(++this.version) }
    this.nodes.set(name, { ...rest, metadata })
    for (const { send } of this.#watches) send(type, this.nodes.get(name))
  }

  remove(name: string): void {
    const node = this.nodes.get(name)
    this.nodes.delete(name)
    this.version++
    for (const { send } of this.#watches) send('DELETED', node)
  }

  /** The server is away, or back. Its watches break either way. */
  away(isAway: boolean): void {
    this.isAway = isAway
    this.breakWatches()
  }

  breakWatches(): void {
    for (const { response } of this.#watches) response.destroy()
    this.#watches.clear()
  }

  get watches(): number {
    return this.#watches.size
  }

  asked(kind: 'list' | 'watch'): StubRequest[] {
    const nodes = this.stub.server.requests.filter(({ path }) => path === '/api/v1/nodes')
    return nodes.filter(({ query }) => query.has('watch') === (kind === 'watch'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stub[Symbol.asyncDispose]()
  }

  #answer(request: StubRequest, response: ServerResponse): void {
    const { path, query, headers } = request
    if (this.isAway) return void response.destroy()
    if (headers.authorization !== `Bearer ${this.stub.token}`) return sendStatus(response, 401, 'Unauthorized')
    if (path !== '/api/v1/nodes') return sendStatus(response, 404, 'NotFound')
    if (this.isDenied) return sendStatus(response, 403, 'Forbidden')
    if (query.has('watch')) return this.#watch(query, response)
    this.#list(query, response)
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const from = Number(query.get('continue') ?? 0)
    const end = from + Number(query.get('limit'))
    const all = [...this.nodes.values()]
    const next = end < all.length ? { continue: String(end) } : {}
    sendJson(response, { metadata: { resourceVersion: String(this.version), ...next }, items: all.slice(from, end) })
  }

  #watch(query: URLSearchParams, response: ServerResponse): void {
    const since = Number(query.get('resourceVersion'))
    // A real one would be silent until it has caught up. That hides what a test looks for.
    if (since > this.version) return sendStatus(response, 410, 'Expired')
    const watch = { send: openWatch(response), response }
    this.#watches.add(watch)
    response.on('close', () => this.#watches.delete(watch))
    for (const node of this.nodes.values()) {
      if (Number(node.metadata.resourceVersion) > since) watch.send('MODIFIED', node)
    }
  }
}
