import { setCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { annotations, core, finalizers } from '../../api/labels.ts'
import type { InfraCluster, InfraMachine } from '../../api/machine.ts'
import type { ClusterReason } from '../../api/reasons.ts'
import { patchStatus } from '../patch-status.ts'
import type { Next } from '../runtime/next.ts'
import type { ClusterDeps } from './deps.ts'

/**
 * The infrastructure cluster leaves last: not before none of its machines exists, by a fresh list, and two complete lists
 * of the cloud show no instance of its owner id. So deleting a whole namespace loses nothing.
 */
export async function farewell(object: InfraCluster, deps: ClusterDeps, ctx: Ctx): Promise<Next> {
  const { namespace, name, resourceVersion, finalizers: present = [] } = object.metadata
  if (!present.includes(finalizers.cluster)) return 'done'
  const still = (await machinesLeft(object, deps, ctx)) ?? (await instancesLeft(object, deps))
  if (still) {
    await say(object, still, deps, ctx)
    return { after: 5_000, why: still.reason }
  }
  const patch = { metadata: { resourceVersion, finalizers: present.filter((entry) => entry !== finalizers.cluster) } }
  await deps.client.mergePatch(deps.resource, { namespace, name }, { patch }, ctx)
  return 'done'
}

async function machinesLeft(
  object: InfraCluster,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<Verdict<ClusterReason> | undefined> {
  const { namespace, name, labels } = object.metadata
  const selector = `${core.clusterName}=${labels?.[core.clusterName] ?? name}`
  const page = await deps.client.list<InfraMachine>(
    deps.machineResource,
    { namespace, labelSelector: selector, limit: 1 },
    ctx,
  )
  const [first] = page.items
  if (!first) return undefined
  const message = `Waiting until no ${deps.machineResource.kind} of the cluster is left; ${first.metadata.name} still exists.`
  return { status: 'False', reason: 'WaitingForMachines', message }
}

async function instancesLeft(object: InfraCluster, deps: ClusterDeps): Promise<Verdict<ClusterReason> | undefined> {
  const owner = object.metadata.annotations?.[annotations.ownerId]
  if (!owner) return undefined
  const cloud = await deps.cloud()
  const fleet = deps.fleetOf(cloud.scopeOf(object), cloud)
  const alive = [...(await fleet.aliveOf(owner)), ...(await fleet.aliveOf(owner))]
  const [first] = alive
  if (!first) return undefined
  const message = `Waiting until the cloud shows no instance of the cluster; ${first.id} is ${first.state}.`
  return { status: 'False', reason: 'WaitingForInstances', message }
}

async function say(object: InfraCluster, ready: Verdict<ClusterReason>, deps: ClusterDeps, ctx: Ctx): Promise<void> {
  const condition = { type: 'Ready', ...ready, observedGeneration: object.metadata.generation ?? 0 }
  const conditions = setCondition(object.status?.conditions ?? [], condition, ctx.clock.now())
  await patchStatus({ ...deps, object, status: { conditions } }, ctx)
}
