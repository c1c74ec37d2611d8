import type { ServerResponse } from 'node:http'
import { neededAccess } from '../../../controllers/workload/access.ts'
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
  /** What its rules say that its user may do; what they do not say may be allowed all the same. */
  granted: { verb: string; group?: string; resource?: string; namespace?: string; path?: string }[] =
    neededAccess.flatMap(({ verbs, ...what }) => verbs.map((verb) => ({ ...what, verb })))
  /** Called with every request instead of answering it. */
  instead: ((request: StubRequest, response: ServerResponse) => void) | undefined

  private constructor(server: ApiserverStub) {
    this.server = server
    server.answer = (request, response) => (this.instead ?? this.answer)(request, response)
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

  readonly answer = (request: StubRequest, response: ServerResponse): void => {
    if (request.headers.authorization !== `Bearer ${this.token}`) return sendStatus(response, 401, 'Unauthorized')
    if (request.path === '/version') return sendJson(response, this.version)
    if (request.path.endsWith('/selfsubjectrulesreviews')) return this.#rules(request, response)
    if (request.path.endsWith('/selfsubjectaccessreviews')) return this.#review(request, response)
    return sendStatus(response, 404, 'NotFound')
  }

  /** As an API server does whose RBAC grants all that is asked for, but for what is denied. */
  #rules({ body }: StubRequest, response: ServerResponse): void {
    const { namespace } = (JSON.parse(body) as { spec: { namespace: string } }).spec
    const here = this.granted.filter((act) => act.namespace === undefined || act.namespace === namespace)
    const rules = here.filter(({ verb, path, resource }) => !this.denied.has(`${verb} ${path ?? resource}`))
    const resourceRules = rules.flatMap(({ verb, group, resource }) =>
      resource === undefined ? [] : [{ verbs: [verb], apiGroups: [group], resources: [resource] }],
    )
    const nonResourceRules = rules.flatMap(({ verb, path }) =>
      path === undefined ? [] : [{ verbs: [verb], nonResourceURLs: [path] }],
    )
    const status = { resourceRules, nonResourceRules, incomplete: false }
    sendJson(response, { metadata: {}, status }, 201)
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
