import type { ServerResponse } from 'node:http'
import { ApiserverStub, sendJson, sendStatus, type StubRequest } from './apiserver-stub.ts'
import { createTestAuthority } from './certificate.ts'

const authority = createTestAuthority('workload')

/** The API server of a workload cluster over TLS, with what the tests of its clients change. */
export class WorkloadStub implements AsyncDisposable {
  readonly server: ApiserverStub
  /** Whoever shows another token is refused. */
  token = 'good'
  version: unknown = { gitVersion: 'v1.36.3' }
  /** What its user may not do: `patch nodes`. */
  denied = new Set<string>()
  /** Called with every request instead of answering it. */
  instead: ((request: StubRequest, response: ServerResponse) => void) | undefined

  private constructor(server: ApiserverStub) {
    this.server = server
    server.answer = (request, response) => this.#answer(request, response)
  }

  static async start(): Promise<WorkloadStub> {
    const { cert, key } = authority.issue('127.0.0.1')
    return new WorkloadStub(await ApiserverStub.start(() => undefined, { cert, key }))
  }

  /** A kubeconfig for it, as the data of its Secret. */
  kubeconfig(user: object = { token: this.token }, cluster: object = {}): { value: string } {
    const ca = Buffer.from(authority.cert).toString('base64')
    return kubeconfigOf({ server: this.server.url, 'certificate-authority-data': ca, ...cluster }, user)
  }

  asked(path: string): number {
    return this.server.requests.filter((request) => request.path === path).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  #answer(request: StubRequest, response: ServerResponse): void {
    if (this.instead) return this.instead(request, response)
    if (request.headers.authorization !== `Bearer ${this.token}`) return sendStatus(response, 401, 'Unauthorized')
    if (request.path === '/version') return sendJson(response, this.version)
    if (request.path.endsWith('/selfsubjectaccessreviews')) return this.#review(request, response)
    return sendStatus(response, 404, 'NotFound')
  }

  #review({ body }: StubRequest, response: ServerResponse): void {
    const { spec } = JSON.parse(body) as { spec: Record<string, Record<string, string> | undefined> }
    const { verb, resource, subresource, path } = { ...spec['resourceAttributes'], ...spec['nonResourceAttributes'] }
    const what = path ?? [resource, subresource].filter(Boolean).join('/')
    sendJson(response, { metadata: {}, status: { allowed: !this.denied.has(`${verb} ${what}`) } }, 201)
  }
}

export function kubeconfigOf(cluster: object, user: object): { value: string } {
  const kubeconfig = {
    'current-context': 'x',
    clusters: [{ name: 'x', cluster }],
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    users: [{ name: 'x', user }],
  }
  return { value: Buffer.from(JSON.stringify(kubeconfig)).toString('base64') }
}

/** A JSON Web Token that ends then; its signature is none. */
export function tokenUntil(endMs: number): string {
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${part({ alg: 'RS256' })}.${part({ exp: endMs / 1000 })}.c2lnbmF0dXJl`
}
