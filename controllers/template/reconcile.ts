import { setCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { isPaused, owningClusterKey, type Cluster, type InfraCluster } from '../../api/machine.ts'
import type { Resource } from '../../api/meta.ts'
import type { TemplateReason } from '../../api/reasons.ts'
import type { Cloud, NodeSize } from '../../providers/cloud.ts'
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

/** What the template controller works with. One set a kind of machine template. */
export interface TemplateDeps extends InfraClusters, AccountUse {
  readonly resource: Resource
  readonly client: KubeClient
  /** With the index `cluster`, by `owningClusterKey`. */
  readonly templates: Cache<MachineTemplate>
  readonly clusters: Cache<Cluster>
  readonly cloud: () => Promise<Cloud>
}

/** What one run of the controller remembers besides: when it may ask the cloud again. */
export interface TemplatePasses extends TemplateDeps {
  readonly backoff: Pick<Backoff, 'rest' | 'refused' | 'clear' | 'forget'>
}

const minutes = 60_000

/** Nothing changes these but a person, and nobody waits for the answer. Everything else is tried again as usual. */
const askAgainMs: Partial<Record<RefusalKind, number>> = { invalid: 10 * minutes, denied: 5 * minutes }

/**
 * What a machine of the template offers, in its status: the cluster autoscaler reads it where a MachineDeployment has
 * no machine to look at. Where it is asked for follows from the Cluster that owns the template.
 */
export async function reconcileTemplate(key: string, deps: TemplatePasses, ctx: Ctx): Promise<Result> {
  const template = deps.templates.get(key)
  if (!template) {
    deps.backoff.forget(key)
    return 'done'
  }
  const infraCluster = placeOf(template, deps)
  return infraCluster ? tell(template, infraCluster, deps, ctx) : 'done'
}

async function tell(
  template: MachineTemplate,
  infraCluster: InfraCluster,
  deps: TemplatePasses,
  ctx: Ctx,
): Promise<Result> {
  const key = keyOf(template)
  const cloud = await deps.cloud()
  const scope = cloud.scopeOf(infraCluster)
  if (deps.notAllowed(template.metadata.namespace, scope) !== undefined) return 'done'
  const question = `${key} ${template.metadata.generation} ${scopeKey(scope)}`
  const rest = deps.backoff.rest(question, ctx.clock.monotonic())
  if (rest > 0) return { requeueAfterMs: rest, reason: 'the cloud has refused; it is too early to ask again' }
  try {
    const facts = await cloud.nodeSizeOf(template.spec.template.spec, scope, ctx)
    deps.backoff.clear(question)
    const known: Said = { status: 'True', reason: 'CapacityKnown', message: '' }
    await say(template, { ...statusOf(template, facts), ...conditionsOf(template, known, ctx) }, deps, ctx)
    return 'done'
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    const least = askAgainMs[thrown.kind]
    const atLeastMs = least ?? thrown.retryAfterMs ?? 0
    const after = deps.backoff.refused(question, { nowMs: ctx.clock.monotonic(), atLeastMs })
    if (least === undefined) throw thrown
    ctx.log.warn('The capacity of a machine template is not known', { error: thrown, againInMs: after })
    await say(template, conditionsOf(template, unknown(thrown), ctx), deps, ctx)
    return { requeueAfterMs: after, reason: 'the capacity is not known' }
  }
}

/**
 * Undefined while something of it is missing, which wakes the template when it comes, while it is paused, and when it
 * goes.
 */
function placeOf(template: MachineTemplate, deps: TemplateDeps): InfraCluster | undefined {
  if (template.metadata.deletionTimestamp) return undefined
  const [clusterKey] = owningClusterKey(template)
  const cluster = clusterKey === undefined ? undefined : deps.clusters.get(clusterKey)
  return isPaused(template, cluster) ? undefined : infraClusterOf(cluster, deps)
}

/** A resource that was there and is no longer: a merge patch takes it away by null. */
function statusOf({ status }: MachineTemplate, { capacity, nodeInfo }: NodeSize): object {
  const gone = Object.keys(status?.capacity ?? {}).filter((resource) => !(resource in capacity))
  return { capacity: { ...capacity, ...Object.fromEntries(gone.map((resource) => [resource, null])) }, nodeInfo }
}

type Said = Verdict<TemplateReason>

/** Whoever waits for the autoscaler reads here why it does not scale from zero. */
function unknown({ kind, code, message }: CloudError): Said {
  const reason = kind === 'denied' ? 'CredentialsDenied' : 'InvalidConfiguration'
  return { status: 'False', reason, message: `The capacity is not known: ${code}: ${message}` }
}

function conditionsOf({ status, metadata }: MachineTemplate, said: Said, { clock }: Ctx): object {
  const update = { type: 'CapacityKnown', ...said, observedGeneration: metadata.generation ?? 0 }
  return { conditions: setCondition(status?.conditions ?? [], update, clock.now()) }
}

async function say(template: MachineTemplate, status: object, deps: TemplateDeps, ctx: Ctx): Promise<void> {
  await patchStatus({ ...deps, object: template, status }, ctx)
}
