import { setCondition, type Condition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { isPaused, owningClusterKey, type Cluster, type InfraCluster } from '../../api/machine.ts'
import type { Resource } from '../../api/meta.ts'
import type { TemplateReason, UniformReason } from '../../api/reasons.ts'
import {
  leastCapacity,
  typesOfOtherArchitecture,
  typesOfOtherCapacity,
  type SizeOfType,
  type Sizes,
} from '../../api/rules/capacity/least-capacity.ts'
import type { Cloud, NodeSize } from '../../providers/cloud.ts'
import { sizesOf, type TemplateSizes } from './sizes.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import { scopeKey } from '../../api/scope.ts'
import type { Backoff } from '../shared/backoff.ts'
import { infraClusterOf, type InfraClusters } from '../shared/infra-cluster.ts'
import type { AccountUse } from '../shared/account-use.ts'
import { patchStatus } from '../runtime/controller/patch-status.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Result } from '../runtime/controller/result.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { MachineTemplate } from './template.ts'

/** The dependencies of the template controller. There is one set for each kind of machine template. */
export interface TemplateDeps extends InfraClusters, AccountUse {
  readonly resource: Resource
  readonly client: KubeClient
  /** With the index `cluster`, by `owningClusterKey`. */
  readonly templates: Cache<MachineTemplate>
  readonly clusters: Cache<Cluster>
  readonly cloud: () => Promise<Cloud>
}

/** The memory of one run of the controller: its backoff. */
export interface TemplatePasses extends TemplateDeps {
  readonly backoff: Pick<Backoff, 'rest' | 'refused' | 'clear' | 'forget'>
}

const minutes = 60_000

/** Only a person can change these. Other errors are retried as usual. */
const retryMs: Partial<Record<RefusalKind, number>> = { invalid: 10 * minutes, denied: 5 * minutes }

/**
 * Writes the capacity of the template's machines to its status. The cluster autoscaler reads it for a MachineDeployment
 * without machines. The Cluster that owns the template decides which scope is used.
 */
export async function reconcileTemplate(key: string, deps: TemplatePasses, ctx: Ctx): Promise<Result> {
  const template = deps.templates.get(key)
  if (!template) {
    deps.backoff.forget(key)
    return 'done'
  }
  const infraCluster = infraClusterFor(template, deps)
  return infraCluster ? reportNodeSize(template, infraCluster, deps, ctx) : 'done'
}

async function reportNodeSize(
  template: MachineTemplate,
  infraCluster: InfraCluster,
  deps: TemplatePasses,
  ctx: Ctx,
): Promise<Result> {
  const key = keyOf(template)
  const cloud = await deps.cloud()
  const scope = cloud.scopeOf(infraCluster)
  if (deps.notAllowed(template.metadata.namespace, scope) !== undefined) return 'done'
  const backoffKey = `${key} ${template.metadata.generation} ${scopeKey(scope)}`
  const rest = deps.backoff.rest(backoffKey, ctx.clock.monotonic())
  if (rest > 0) return { requeueAfterMs: rest, reason: 'the cloud has refused; it is too early to ask again' }
  try {
    const all = await sizesOf(template.spec.template.spec, cloud, scope, ctx)
    deps.backoff.clear(backoffKey)
    await writeStatus(template, statusBy(template, all, ctx), deps, ctx)
    return 'done'
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    const least = retryMs[thrown.kind]
    const atLeastMs = least ?? thrown.retryAfterMs ?? 0
    const after = deps.backoff.refused(backoffKey, { nowMs: ctx.clock.monotonic(), atLeastMs })
    if (least === undefined) throw thrown
    ctx.log.warn('The capacity of a machine template is not known', { error: thrown, againInMs: after })
    await writeStatus(template, conditionsOf(template, [unknown(thrown)], ctx), deps, ctx)
    return { requeueAfterMs: after, reason: 'the capacity is not known' }
  }
}

/**
 * Undefined while a part is missing (its arrival wakes the template), while the template is paused, and when it is
 * deleted.
 */
function infraClusterFor(template: MachineTemplate, deps: TemplateDeps): InfraCluster | undefined {
  if (template.metadata.deletionTimestamp) return undefined
  const [clusterKey] = owningClusterKey(template)
  const cluster = clusterKey === undefined ? undefined : deps.clusters.get(clusterKey)
  return isPaused(template, cluster) ? undefined : infraClusterOf(cluster, deps)
}

/** Nothing is said of the capacity when the Nodes may be of two architectures. */
function statusBy(template: MachineTemplate, { sizes, nodeInfo }: TemplateSizes, ctx: Ctx): object {
  const foreign = typesOfOtherArchitecture(sizes)
  if (foreign.length > 0) return conditionsOf(template, [twoArchitectures(sizes[0], foreign)], ctx)
  const capacity = leastCapacity(sizes)
  const conditions = conditionsOf(template, [known, ...(sizes.length > 1 ? [uniform(sizes)] : [])], ctx)
  return { ...statusOf(template, { capacity, nodeInfo }), ...conditions }
}

/** A resource that is gone is set to null, because a merge patch removes it by that. */
function statusOf({ status }: MachineTemplate, { capacity, nodeInfo }: NodeSize): object {
  const gone = Object.keys(status?.capacity ?? {}).filter((resource) => !(resource in capacity))
  return { capacity: { ...capacity, ...Object.fromEntries(gone.map((resource) => [resource, null])) }, nodeInfo }
}

type TemplateCondition =
  | (Verdict<TemplateReason> & { readonly type: 'CapacityKnown' })
  | (Verdict<UniformReason> & { readonly type: 'UniformCapacity' })

const known: TemplateCondition = { type: 'CapacityKnown', status: 'True', reason: 'CapacityKnown', message: '' }

/** Says why the autoscaler does not scale from zero. */
function unknown({ kind, code, message }: CloudError): TemplateCondition {
  const reason = kind === 'denied' ? 'CredentialsDenied' : 'InvalidConfiguration'
  return { type: 'CapacityKnown', status: 'False', reason, message: `The capacity is not known: ${code}: ${message}` }
}

function twoArchitectures(own: SizeOfType, [other]: readonly SizeOfType[]): TemplateCondition {
  const message =
    `The capacity is not known: ${own.instanceType} is ${own.architecture}, but spec.fallback names ` +
    `${other?.instanceType}, which is ${other?.architecture}. Use types of one architecture.`
  return { type: 'CapacityKnown', status: 'False', reason: 'TwoArchitectures', message }
}

/** Once there is a Node, the autoscaler expects that all others are like it. */
function uniform(sizes: Sizes): TemplateCondition {
  const others = typesOfOtherCapacity(sizes)
  if (others.length === 0) return { type: 'UniformCapacity', status: 'True', reason: 'SameCapacity', message: '' }
  const named =
    others.length > mostNamed ? [...others.slice(0, mostNamed), `${others.length - mostNamed} more`] : others
  const message =
    `Of another size than ${sizes[0].instanceType}: ${named.join(', ')}. The autoscaler may add Nodes on which waiting ` +
    'Pods do not fit. Use types of one size.'
  return { type: 'UniformCapacity', status: 'False', reason: 'DifferentCapacity', message }
}

const mostNamed = 5

function conditionsOf(
  { status, metadata }: MachineTemplate,
  verdicts: readonly TemplateCondition[],
  { clock }: Ctx,
): object {
  const observedGeneration = metadata.generation ?? 0
  const conditions = verdicts.reduce<readonly Condition[]>(
    (all, verdict) => setCondition(all, { ...verdict, observedGeneration }, clock.now()),
    status?.conditions ?? [],
  )
  return { conditions }
}

async function writeStatus(template: MachineTemplate, status: object, deps: TemplateDeps, ctx: Ctx): Promise<void> {
  await patchStatus({ ...deps, object: template, status }, ctx)
}
