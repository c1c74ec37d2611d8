import { setCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { ExternalControlPlane } from '../../api/generated/external-control-plane.ts'
import { isPaused, ownerNamed, type Cluster } from '../../api/machine.ts'
import type { ControlPlaneReason } from '../../api/reasons.ts'
import { patchStatus } from '../patch-status.ts'
import { ApiError } from '../runtime/api-error.ts'
import type { Cache } from '../runtime/cache.ts'
import type { KubeClient } from '../runtime/client.ts'
import { KubeconfigNotSupported } from '../runtime/kubeconfig.ts'
import type { Next } from '../runtime/next.ts'
import type { Resource } from '../../api/meta.ts'
import { KubeconfigMissing, type WorkloadClients } from '../workload/clients.ts'

export interface ControlPlaneDeps {
  readonly resource: Resource
  readonly client: KubeClient
  readonly controlPlanes: Cache<ExternalControlPlane>
  readonly clusters: Cache<Cluster>
  readonly workloads: WorkloadClients
}

const lookAgainMs = { available: 60_000, not: 10_000 }

/**
 * "The control plane of this cluster runs elsewhere." Without such an object core neither watches Nodes nor drains them.
 * It is initialized once the kubeconfig in core's own Secret has reached the API server.
 */
export async function reconcileControlPlane(key: string, deps: ControlPlaneDeps, ctx: Ctx): Promise<Next> {
  const object = deps.controlPlanes.get(key)
  if (!object || object.metadata.deletionTimestamp) return 'done'
  const name = ownerNamed(object, 'Cluster')
  const cluster = name === undefined ? undefined : deps.clusters.get(`${object.metadata.namespace}/${name}`)
  if (isPaused(object, cluster)) return 'done'
  const available = cluster ? await probe(cluster, deps, ctx) : waiting
  const reached = available.status === 'True'
  const conditions = setCondition(
    object.status?.conditions ?? [],
    { type: 'Available', ...available, observedGeneration: object.metadata.generation ?? 0 },
    ctx.clock.now(),
  )
  const status = {
    externalManagedControlPlane: true,
    ...(reached ? { initialization: { controlPlaneInitialized: true } } : {}),
    conditions,
  }
  await patchStatus({ ...deps, object, status }, ctx)
  return { after: reached ? lookAgainMs.available : lookAgainMs.not, why: 'the API server is asked again' }
}

const waiting: Verdict<ControlPlaneReason> = {
  status: 'Unknown',
  reason: 'WaitingForCluster',
  message: 'Waiting for the Cluster whose spec.controlPlaneRef names this object.',
}

async function probe(
  cluster: Cluster,
  { workloads }: ControlPlaneDeps,
  ctx: Ctx,
): Promise<Verdict<ControlPlaneReason>> {
  try {
    await workloads.with(cluster.metadata, (client) => client.raw('/version', ctx), ctx)
    return { status: 'True', reason: 'Available', message: 'The API server of the workload cluster answers.' }
  } catch (thrown) {
    return { status: 'False', ...whyNot(thrown) }
  }
}

function whyNot(thrown: unknown): { reason: ControlPlaneReason; message: string } {
  if (thrown instanceof KubeconfigMissing) return { reason: 'KubeconfigMissing', message: thrown.message }
  if (thrown instanceof KubeconfigNotSupported) return { reason: 'KubeconfigNotSupported', message: thrown.message }
  if (!(thrown instanceof ApiError)) throw thrown
  if (thrown.status === 401 || thrown.status === 403) {
    const message = 'The API server refuses the credentials of the kubeconfig; write a fresh one into its Secret.'
    return { reason: 'CredentialsDenied', message }
  }
  return { reason: 'Unreachable', message: `The API server does not answer as it should: ${thrown.message}` }
}
