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
    const facts = await cloud.nodeSizeOf(template.spec.template.spec, scope, ctx)
    deps.backoff.clear(backoffKey)
    const known: TemplateVerdict = { status: 'True', reason: 'CapacityKnown', message: '' }
    await writeStatus(template, { ...statusOf(template, facts), ...conditionsOf(template, known, ctx) }, deps, ctx)
    return 'done'
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    const least = retryMs[thrown.kind]
    const atLeastMs = least ?? thrown.retryAfterMs ?? 0
    const after = deps.backoff.refused(backoffKey, { nowMs: ctx.clock.monotonic(), atLeastMs })
    if (least === undefined) throw thrown
    ctx.log.warn('The capacity of a machine template is not known', { error: thrown, againInMs: after })
    await writeStatus(template, conditionsOf(template, unknown(thrown), ctx), deps, ctx)
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

/** A resource that is gone is set to null, because a merge patch removes it by that. */
function statusOf({ status }: MachineTemplate, { capacity, nodeInfo }: NodeSize): object {
  const gone = Object.keys(status?.capacity ?? {}).filter((resource) => !(resource in capacity))
  return { capacity: { ...capacity, ...Object.fromEntries(gone.map((resource) => [resource, null])) }, nodeInfo }
}

type TemplateVerdict = Verdict<TemplateReason>

/** Says why the autoscaler does not scale from zero. */
function unknown({ kind, code, message }: CloudError): TemplateVerdict {
  const reason = kind === 'denied' ? 'CredentialsDenied' : 'InvalidConfiguration'
  return { status: 'False', reason, message: `The capacity is not known: ${code}: ${message}` }
}

function conditionsOf({ status, metadata }: MachineTemplate, verdict: TemplateVerdict, { clock }: Ctx): object {
  const update = { type: 'CapacityKnown', ...verdict, observedGeneration: metadata.generation ?? 0 }
  return { conditions: setCondition(status?.conditions ?? [], update, clock.now()) }
}

async function writeStatus(template: MachineTemplate, status: object, deps: TemplateDeps, ctx: Ctx): Promise<void> {
  await patchStatus({ ...deps, object: template, status }, ctx)
}
