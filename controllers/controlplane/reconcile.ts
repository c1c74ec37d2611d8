import { setCondition, type Condition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { ExternalControlPlane } from '../../api/generated/external-control-plane.ts'
import { isPaused, ownerNamed, type Cluster } from '../../api/machine.ts'
import type { Resource } from '../../api/meta.ts'
import type { ControlPlaneReason, PausedReason } from '../../api/reasons.ts'
import { patchStatus } from '../runtime/controller/patch-status.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Result } from '../runtime/controller/result.ts'
import { endpointOf } from './endpoint.ts'
import type { ClusterRef } from '../workload/secret.ts'
import { WorkloadBusy } from '../workload/turns.ts'
import { probe, type Finding, type ProbeDeps } from './probe.ts'

export interface ControlPlaneDeps extends ProbeDeps {
  readonly resource: Resource
  readonly client: KubeClient
  readonly controlPlanes: Cache<ExternalControlPlane>
  readonly clusters: Cache<Cluster>
}

const lookAgainMs = { available: 20_000, not: 10_000 }

/**
 * An ExternalControlPlane says that the control plane of a cluster runs elsewhere. Without such an object core neither
 * watches Nodes nor drains them. It is initialized when the kubeconfig in core's own Secret has reached the API server.
 */
export async function reconcileControlPlane(key: string, deps: ControlPlaneDeps, ctx: Ctx): Promise<Result> {
  const object = deps.controlPlanes.get(key)
  if (!object || object.metadata.deletionTimestamp) return 'done'
  const name = ownerNamed(object, 'Cluster')
  const cluster = name === undefined ? undefined : deps.clusters.get(`${object.metadata.namespace}/${name}`)
  if (isPaused(object, cluster)) {
    await report(object, { conditions: { Paused: paused } }, deps, ctx)
    return 'done'
  }
  const found = cluster ? await probeInTurn(cluster.metadata, deps, ctx) : { verdict: waiting }
  if (found instanceof WorkloadBusy)
    return { requeueAfterMs: found.retryAfterMs, reason: 'others ask the workload cluster now' }
  const { verdict, server }: Finding = found
  // This comes before it is initialized, because core copies the endpoint then.
  const named = await nameEndpoint(object, { cluster, server }, deps, ctx)
  await report(named, { conditions: { Available: verdict, Paused: notPaused }, server }, deps, ctx)
  if (!cluster) return 'done'
  const after = verdict.status === 'True' ? lookAgainMs.available : lookAgainMs.not
  return { requeueAfterMs: after, reason: 'the API server is asked again' }
}

/** A busy workload cluster says nothing about itself, so the status stays as it is. */
async function probeInTurn(cluster: ClusterRef, deps: ProbeDeps, ctx: Ctx): Promise<Finding | WorkloadBusy> {
  try {
    return await probe(cluster, deps, ctx)
  } catch (thrown) {
    if (thrown instanceof WorkloadBusy) return thrown
    throw thrown
  }
}

const waiting: Verdict<ControlPlaneReason> = {
  status: 'Unknown',
  reason: 'WaitingForCluster',
  message: 'Waiting for the Cluster whose spec.controlPlaneRef names this object.',
}
const paused: Verdict<PausedReason> = {
  status: 'True',
  reason: 'Paused',
  message: 'The Cluster or this object is paused. The manager does not call its API server until you remove the pause.',
}
const notPaused: Verdict<PausedReason> = { status: 'False', reason: 'NotPaused', message: '' }

/** Names the kubeconfig's server as the endpoint if there is no other. Core copies it to a Cluster that names none. */
async function nameEndpoint(
  object: ExternalControlPlane,
  { cluster, server }: { cluster: Cluster | undefined; server: string | undefined },
  { client, resource }: ControlPlaneDeps,
  ctx: Ctx,
): Promise<ExternalControlPlane> {
  const isNamed = object.spec?.controlPlaneEndpoint !== undefined || cluster?.spec.controlPlaneEndpoint !== undefined
  const endpoint = isNamed || server === undefined ? undefined : endpointOf(server)
  if (!endpoint) return object
  const { namespace, name, resourceVersion } = object.metadata
  const patch = { metadata: { resourceVersion }, spec: { controlPlaneEndpoint: endpoint } }
  return client.mergePatch<ExternalControlPlane>(resource, { namespace, name }, { patch }, ctx)
}

interface Said {
  readonly conditions: Readonly<Record<string, Verdict<ControlPlaneReason | PausedReason>>>
  readonly server?: string | undefined
}

async function report(object: ExternalControlPlane, said: Said, deps: ControlPlaneDeps, ctx: Ctx): Promise<void> {
  const observedGeneration = object.metadata.generation ?? 0
  let conditions: readonly Condition[] = object.status?.conditions ?? []
  for (const [type, verdict] of Object.entries(said.conditions)) {
    conditions = setCondition(conditions, { type, ...verdict, observedGeneration }, ctx.clock.now())
  }
  const reached = said.server === undefined ? {} : { initialization: { controlPlaneInitialized: true } }
  const status = { externalManagedControlPlane: true, ...reached, conditions }
  await patchStatus({ ...deps, object, status }, ctx)
}
