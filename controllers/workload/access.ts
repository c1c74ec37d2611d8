import type { Ctx } from '../../api/ctx.ts'
import type { ObjectMeta, Resource } from '../../api/meta.ts'
import { ApiError, isTooLarge } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { isGranted, type Act, type RulesStatus } from './rules.ts'

/** A permission that the user of a workload kubeconfig needs. */
export interface Access {
  readonly verbs: readonly string[]
  /** '' is the core group. */
  readonly group?: string
  /** With the subresource: `pods/eviction`. */
  readonly resource?: string
  /** Undefined: in all namespaces. */
  readonly namespace?: string
  /** Instead of a resource. */
  readonly path?: string
}

/**
 * Everything that Cluster API and this manager do in a workload cluster, so everything that its kubeconfig must allow.
 * docs/workload-access/access.yaml grants exactly this.
 */
export const neededAccess: readonly Access[] = [
  // Core checks with it whether the API server answers. Discovery and /version are open to every authenticated user.
  { path: '/', verbs: ['get'] },
  // Core finds, watches, labels, cordons and finally deletes Nodes. We watch them too, and patch labels and taints.
  { group: '', resource: 'nodes', verbs: ['get', 'list', 'watch', 'patch', 'delete'] },
  // Core drains.
  { group: '', resource: 'pods', verbs: ['get', 'list'] },
  { group: '', resource: 'pods/eviction', verbs: ['create'] },
  { group: '', resource: 'namespaces', verbs: ['get', 'list', 'watch'] },
  { group: 'apps', resource: 'daemonsets', verbs: ['get'] },
  // Core waits until volumes are detached.
  { group: '', resource: 'persistentvolumes', verbs: ['list'] },
  { group: 'storage.k8s.io', resource: 'volumeattachments', verbs: ['list'] },
  // We write an event on the Node when it is taken back. Events of Nodes are in this namespace.
  { namespace: 'default', group: '', resource: 'events', verbs: ['create'] },
]

/**
 * More that the manager does where it may. Without it a Pod that a PodDisruptionBudget holds ends with its instance.
 * Nobody is told to grant it: a kubeconfig from before this was added serves as well as ever.
 */
export const helpfulAccess: readonly Access[] = [{ group: '', resource: 'pods', verbs: ['delete'] }]

const authorization = { group: 'authorization.k8s.io', version: 'v1', namespaced: false }
const ruleReviews: Resource = { ...authorization, plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview' }
const reviews: Resource = { ...authorization, plural: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview' }

/**
 * The API server lists rules by namespace. For a namespace that does not exist it lists only those that hold
 * everywhere. A permission in one namespace must not count for all.
 */
const nowhere = 'spot-cluster-x-k8s-io-no-namespace'

interface Review<Status> {
  metadata: ObjectMeta
  spec: object
  status?: Status
}

/** Permissions change rarely. Missing ones are checked each time. */
const freshForMs = 10 * 60_000

/** Finds the permissions that the user of a kubeconfig lacks, as the API server reports them. */
export class AccessReviews {
  /** When all permissions of a client were last found. */
  readonly #complete = new WeakMap<KubeClient, number>()

  /**
   * The missing permissions as words for people, such as "patch nodes". If the API server does not answer the question,
   * nothing counts as missing.
   */
  async missing(client: KubeClient, ctx: Ctx): Promise<string[]> {
    const now = ctx.clock.monotonic()
    const since = this.#complete.get(client)
    if (since !== undefined && now - since < freshForMs) return []
    const missing: string[] = []
    for (const access of await notInRules(client, ctx)) {
      // The list of rules may be incomplete if there is another authorizer than RBAC. These checks run one after the
      // other, because nothing waits for them.
      if (!(await isAllowed(client, access, ctx))) missing.push(`${access.verb} ${access.path ?? access.resource}`)
    }
    if (missing.length === 0) this.#complete.set(client, now)
    return missing
  }
}

type NeededAct = Act & Pick<Access, 'namespace'>

/** The permissions that no rule of the user grants literally. */
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

/** Undefined if the API server does not answer such questions, or if the answer is too long. */
async function answerTo<Status>(
  resource: Resource,
  spec: object,
  client: KubeClient,
  ctx: Ctx,
): Promise<Status | undefined> {
  try {
    // A review is answered and not stored, so it has no name.
    const metadata = {} as ObjectMeta
    return (await client.create<Review<Status>>(resource, { metadata, spec }, ctx)).status
  } catch (thrown) {
    if (isTooLarge(thrown)) return undefined
    if (thrown instanceof ApiError && (thrown.status === 403 || thrown.status === 404)) return undefined
    throw thrown
  }
}
