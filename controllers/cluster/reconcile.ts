import { randomUUID } from 'node:crypto'
import { setCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { clusters } from '../../api/kinds.ts'
import { annotations, core, finalizers } from '../../api/labels.ts'
import { isPaused, ownerNamed, type Cluster, type InfraCluster } from '../../api/machine.ts'
import type { ClusterReason } from '../../api/reasons.ts'
import { patchStatus } from '../patch-status.ts'
import type { Next } from '../runtime/next.ts'
import type { ClusterDeps } from './deps.ts'
import { farewell } from './farewell.ts'

const waiting: Verdict<ClusterReason> = {
  status: 'Unknown',
  reason: 'WaitingForCluster',
  message: 'Waiting for the Cluster that owns this object.',
}
const provisioned: Verdict<ClusterReason> = {
  status: 'True',
  reason: 'Provisioned',
  message: 'The network is brought along; machines may be created in it.',
}

/** Light on purpose: the network is the user's own. What it does is to mint the owner id, and to be the last to leave. */
export async function reconcileCluster(key: string, deps: ClusterDeps, ctx: Ctx): Promise<Next> {
  const object = deps.infraClusters.get(key)
  if (!object) return 'done'
  const name = ownerNamed(object, 'Cluster') ?? object.metadata.labels?.[core.clusterName]
  const cluster = name === undefined ? undefined : deps.clusters.get(`${object.metadata.namespace}/${name}`)
  if (isPaused(object, cluster) || isExternallyManaged(object)) return 'done'
  if (object.metadata.deletionTimestamp) return farewell(object, deps, ctx)
  if (!cluster) {
    await report(object, waiting, deps, ctx)
    return 'done'
  }
  const ownerId = await mintOwnerId(cluster, deps, ctx)
  const held = await holdOn(object, ownerId, deps, ctx)
  await report(held, provisioned, deps, ctx)
  return 'done'
}

/** Minted once, with what was read as the precondition: of two that mint at the same time one fails and looks again. */
async function mintOwnerId(cluster: Cluster, { client }: ClusterDeps, ctx: Ctx): Promise<string> {
  const present = cluster.metadata.annotations?.[annotations.ownerId]
  if (present) return present
  const { namespace, name, resourceVersion } = cluster.metadata
  const ownerId = randomUUID()
  const patch = { metadata: { resourceVersion, annotations: { [annotations.ownerId]: ownerId } } }
  await client.mergePatch(clusters, { namespace, name }, { patch }, ctx)
  return ownerId
}

/** The finalizer, and a copy of the owner id: when everything is deleted at once the Cluster may be gone first. */
async function holdOn(object: InfraCluster, ownerId: string, deps: ClusterDeps, ctx: Ctx): Promise<InfraCluster> {
  const { namespace, name, resourceVersion, finalizers: present = [], annotations: noted } = object.metadata
  if (present.includes(finalizers.cluster) && noted?.[annotations.ownerId] === ownerId) return object
  const patch = {
    metadata: {
      resourceVersion,
      finalizers: [...new Set([...present, finalizers.cluster])],
      annotations: { [annotations.ownerId]: ownerId },
    },
  }
  return deps.client.mergePatch<InfraCluster>(deps.resource, { namespace, name }, { patch }, ctx)
}

async function report(object: InfraCluster, ready: Verdict<ClusterReason>, deps: ClusterDeps, ctx: Ctx): Promise<void> {
  const { status, metadata } = object
  const condition = { type: 'Ready', ...ready, observedGeneration: metadata.generation ?? 0 }
  const next = {
    ...(ready.status === 'True' ? { initialization: { provisioned: true } } : {}),
    conditions: setCondition(status?.conditions ?? [], condition, ctx.clock.now()),
  }
  await patchStatus({ ...deps, object, status: next }, ctx)
}

/** The book says label, core looks at the annotation: both are honoured. */
function isExternallyManaged({ metadata }: InfraCluster): boolean {
  return metadata.annotations?.[core.managedBy] !== undefined || metadata.labels?.[core.managedBy] !== undefined
}
