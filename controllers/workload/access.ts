import type { Ctx } from '../../api/ctx.ts'
import type { ObjectMeta, Resource } from '../../api/meta.ts'
import { ApiError, isTooLarge } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { isGranted, type Act, type RulesStatus } from './rules.ts'

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

const authorization = { group: 'authorization.k8s.io', version: 'v1', namespaced: false }
const ruleReviews: Resource = { ...authorization, plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview' }
const reviews: Resource = { ...authorization, plural: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview' }

/**
 * Rules are told by namespace. In one that nobody has, those that hold everywhere are left: what is granted in one
 * namespace alone must not count for all.
 */
const nowhere = 'spot-cluster-x-k8s-io-no-namespace'

interface Review<Status> {
  metadata: ObjectMeta
  spec: object
  status?: Status
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
    for (const access of await notInRules(client, ctx)) {
      // Not all rules are told where another authorizer than RBAC decides. One after the other: nobody waits for it.
      if (!(await isAllowed(client, access, ctx))) missing.push(`${access.verb} ${access.path ?? access.resource}`)
    }
    if (missing.length === 0) this.#complete.set(client, now)
    return missing
  }
}

type NeededAct = Act & Pick<Access, 'namespace'>

/** What the rules of the user do not grant as they stand. */
async function notInRules(client: KubeClient, ctx: Ctx): Promise<NeededAct[]> {
  const acts = neededAccess.flatMap(({ verbs, ...what }): NeededAct[] => verbs.map((verb) => ({ ...what, verb })))
  const left: NeededAct[] = []
  for (const [namespace = nowhere, group] of Map.groupBy(acts, (act) => act.namespace)) {
    const rules = (await answerTo<RulesStatus>(ruleReviews, { namespace }, client, ctx)) ?? {}
    left.push(...group.filter((act) => !isGranted(act, rules)))
  }
  return left
}

async function isAllowed(
  client: KubeClient,
  { namespace, group, resource = '', path, verb }: NeededAct,
  ctx: Ctx,
): Promise<boolean> {
  const [name, subresource = ''] = resource.split('/')
  const spec =
    path === undefined
      ? { resourceAttributes: { namespace, verb, group, resource: name, subresource } }
      : { nonResourceAttributes: { verb, path } }
  const status = await answerTo<{ allowed?: boolean }>(reviews, spec, client, ctx)
  return status?.allowed !== false
}

/** Undefined where the API server does not answer such questions, or at too great a length. */
async function answerTo<Status>(
  resource: Resource,
  spec: object,
  client: KubeClient,
  ctx: Ctx,
): Promise<Status | undefined> {
  try {
    // A review is answered and kept nowhere, so it has no name.
    const metadata = {} as ObjectMeta
    return (await client.create<Review<Status>>(resource, { metadata, spec }, ctx)).status
  } catch (thrown) {
    if (isTooLarge(thrown)) return undefined
    if (thrown instanceof ApiError && (thrown.status === 403 || thrown.status === 404)) return undefined
    throw thrown
  }
}
