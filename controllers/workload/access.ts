import type { Ctx } from '../../api/ctx.ts'
import type { ObjectMeta, Resource } from '../../api/meta.ts'
import { ApiError } from '../runtime/api-error.ts'
import type { KubeClient } from '../runtime/client.ts'

/** Something that the user of a workload kubeconfig has to be allowed to do. */
export interface Access {
  readonly verbs: readonly string[]
  /** '' is the core group. */
  readonly group?: string
  /** With the subresource: `pods/eviction`. */
  readonly resource?: string
  /** Left out: in all of them. */
  readonly namespace?: string
  /** Instead of a resource. */
  readonly path?: string
}

/**
 * All that Cluster API and this manager do in a workload cluster, and so all that its kubeconfig has to allow.
 * docs/workload-access/access.yaml grants exactly this.
 */
export const neededAccess: readonly Access[] = [
  // Core asks it whether the API server is there; discovery and /version are open to every authenticated user.
  { path: '/', verbs: ['get'] },
  // Core finds and follows Nodes, labels, cordons and in the end deletes them; we label them.
  { group: '', resource: 'nodes', verbs: ['get', 'list', 'watch', 'patch', 'delete'] },
  // Core drains.
  { group: '', resource: 'pods', verbs: ['get', 'list'] },
  { group: '', resource: 'pods/eviction', verbs: ['create'] },
  { group: '', resource: 'namespaces', verbs: ['get', 'list', 'watch'] },
  { group: 'apps', resource: 'daemonsets', verbs: ['get'] },
  // Core waits until volumes are detached.
  { group: '', resource: 'persistentvolumes', verbs: ['list'] },
  { group: 'storage.k8s.io', resource: 'volumeattachments', verbs: ['list'] },
  // We tell on the Node that it was taken back; that is where events of Nodes stand.
  { namespace: 'default', group: '', resource: 'events', verbs: ['create'] },
]

const reviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
}

interface Review {
  metadata: ObjectMeta
  spec: object
  status?: { allowed?: boolean }
}

/** Permissions change rarely; those that are missing are asked about each time. */
const freshForMs = 10 * 60_000

/** What the user of a kubeconfig may not do of what is needed, by the API server's own word. */
export class AccessReviews {
  /** When a client was last found to be allowed everything. */
  readonly #complete = new WeakMap<KubeClient, number>()

  /**
   * As words for people, such as "patch nodes"; an API server that does not answer the question is believed to allow
   * it.
   */
  async missing(client: KubeClient, ctx: Ctx): Promise<string[]> {
    const now = ctx.clock.monotonic()
    const since = this.#complete.get(client)
    if (since !== undefined && now - since < freshForMs) return []
    const missing: string[] = []
    // One after the other, over one connection: nobody waits for it.
    for (const { verbs, ...what } of neededAccess) {
      for (const verb of verbs) {
        if (!(await isAllowed(client, { ...what, verb }, ctx))) missing.push(`${verb} ${what.path ?? what.resource}`)
      }
    }
    if (missing.length === 0) this.#complete.set(client, now)
    return missing
  }
}

async function isAllowed(
  client: KubeClient,
  { namespace, group, resource = '', path, verb }: Omit<Access, 'verbs'> & { verb: string },
  ctx: Ctx,
): Promise<boolean> {
  const [name, subresource = ''] = resource.split('/')
  const spec =
    path === undefined
      ? { resourceAttributes: { namespace, verb, group, resource: name, subresource } }
      : { nonResourceAttributes: { verb, path } }
  try {
    // A review is answered and kept nowhere, so it has no name.
    const metadata = {} as ObjectMeta
    const { status } = await client.create<Review>(reviews, { metadata, spec }, ctx)
    return status?.allowed !== false
  } catch (thrown) {
    if (thrown instanceof ApiError && (thrown.status === 403 || thrown.status === 404)) return true
    throw thrown
  }
}
