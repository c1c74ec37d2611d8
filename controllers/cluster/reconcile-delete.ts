import type { Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { core, finalizers, requests } from '../../api/labels.ts'
import { owningClusterName, type InfraCluster, type InfraMachine } from '../../api/machine.ts'
import type { ClusterReason } from '../../api/reasons.ts'
import { orphansAmong } from '../../api/rules/orphans.ts'
import type { Holding } from '../../api/rules/owner-id.ts'
import { inSentence } from '../../api/sentence.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Fleet } from '../../providers/fleet/fleet.ts'
import type { Instance } from '../../api/instance.ts'
import { namespaceDigest } from '../../providers/shared/ownership.ts'
import type { Result } from '../runtime/controller/result.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { everyMachine, isOwned, toClaim } from './claims.ts'
import { unseen, writeConditions, type Verdicts } from './conditions.ts'
import type { ClusterDeps } from './deps.ts'
import { ownerIdOf, rivalsOf } from './owner.ts'
import { lookAfter } from './owner-id-shared.ts'

/**
 * Removes the finalizer last: when a fresh list shows no machine of the cluster, and two complete lists of the cloud
 * show no instance with its owner id. So deleting a whole namespace loses nothing. An instance without a machine is
 * left to the sweep, with all its delays, because nothing else would end it.
 */
export async function reconcileDelete(object: InfraCluster, deps: ClusterDeps, ctx: Ctx): Promise<Result> {
  const { namespace, name, resourceVersion, finalizers: present = [] } = object.metadata
  if (!present.includes(finalizers.cluster)) return 'done'
  const left = (await machinesLeft(object, deps, ctx)) ?? (await instancesLeft(object, deps, ctx))
  if (left) {
    await writeConditions(left.object, { verdicts: left.verdicts }, deps, ctx)
    return { requeueAfterMs: 5_000, reason: left.verdicts['Ready']?.reason ?? '' }
  }
  const patch = { metadata: { resourceVersion, finalizers: present.filter((entry) => entry !== finalizers.cluster) } }
  await deps.client.mergePatch(deps.resource, { namespace, name }, { patch }, ctx)
  return 'done'
}

/** The reason why the object stays. */
interface Left {
  readonly object: InfraCluster
  readonly verdicts: Verdicts
}

async function machinesLeft(object: InfraCluster, deps: ClusterDeps, ctx: Ctx): Promise<Left | undefined> {
  const { namespace, name, labels } = object.metadata
  const selector = `${core.clusterName}=${labels?.[core.clusterName] ?? name}`
  const page = await deps.client.list<InfraMachine>(
    deps.machineResource,
    { namespace, labelSelector: selector, limit: 1 },
    ctx,
  )
  const [first] = page.items
  if (!first) return undefined
  const looked = await lookMeanwhile(object, deps, ctx)
  const message = `Waiting until no ${deps.machineResource.kind} of the cluster is left; ${first.metadata.name} still exists.`
  const ready = { status: 'False', reason: 'WaitingForMachines', message } as const
  return { object: looked.object, verdicts: { Ready: ready, ...looked.verdicts } }
}

/**
 * A machine may hold the cluster for days. An instance of another manager that appears meanwhile is noted, because a
 * later process could not tell whose it is.
 */
async function lookMeanwhile(object: InfraCluster, deps: ClusterDeps, ctx: Ctx): Promise<Left> {
  const ownerId = ownerIdOf(object)
  if (ownerId === undefined) return { object, verdicts: {} }
  return lookAfter({ object, ownerId, rivals: rivalsAmong(ownerId, object, deps), cluster: undefined }, deps, ctx)
}

async function instancesLeft(object: InfraCluster, deps: ClusterDeps, ctx: Ctx): Promise<Left | undefined> {
  const ownerId = ownerIdOf(object)
  if (ownerId === undefined) return undefined
  const rivals = rivalsAmong(ownerId, object, deps)
  const cloud = await deps.cloud()
  const needsNoProof = object.metadata.annotations?.[requests.confirmGone] !== undefined
  const fleet = deps.fleetOf(cloud.scopeOf(object), cloud, keyOf(object))
  const alive = await twiceListed(fleet, { ownerId, needsNoProof }, ctx)
  if (alive instanceof CloudError) {
    const isUnseen = deps.sweep.isUnseen(fleet, ctx)
    return { object, verdicts: { Ready: notTold(alive), ...(isUnseen ? unseen(object) : {}) } }
  }
  const [first] = rivals.length === 0 ? alive : await ownAmong(alive, object, deps, ctx)
  if (!first) return undefined
  const looked = await lookAfter({ object, ownerId, rivals, cluster: undefined }, deps, ctx)
  const message = `Waiting until the cloud shows no instance of the cluster; ${first.id} is ${first.state}.`
  return { object: looked.object, verdicts: { Ready: { ...waiting, message }, ...looked.verdicts } }
}

function rivalsAmong(ownerId: string, object: InfraCluster, deps: ClusterDeps): readonly Holding[] {
  const { namespace, name } = object.metadata
  return rivalsOf(ownerId, { namespace, name: owningClusterName(object) ?? name }, deps)
}

/**
 * For an owner id that another Cluster has as well. Instances of other namespaces, and those that belong to machines
 * here, are not this cluster's. It waits for the others as usual.
 */
async function ownAmong(
  alive: readonly Instance[],
  { metadata: { namespace } }: InfraCluster,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<readonly Instance[]> {
  const claims = (await everyMachine(namespace, deps, ctx)).map(toClaim)
  const unclaimed = new Set(orphansAmong(alive.filter(isOwned), claims).map(({ id }) => id))
  return alive.filter(({ id, tag }) => unclaimed.has(id) && tag?.machine.startsWith(namespaceDigest(namespace)))
}

/**
 * Returns two complete lists, or the error of the cloud. While the lists of the fleet fail, nothing waits here for the
 * next one.
 */
async function twiceListed(
  fleet: Fleet,
  { ownerId, needsNoProof }: { ownerId: string; needsNoProof: boolean },
  ctx: Ctx,
): Promise<readonly Instance[] | CloudError> {
  if (fleet.trouble) return fleet.trouble
  try {
    const list = () => fleet.aliveOf(ownerId, ctx, { needsNoProof })
    return [...(await list()), ...(await list())]
  } catch (thrown) {
    if (thrown instanceof CloudError) return thrown
    throw thrown
  }
}

const waiting = { status: 'False', reason: 'WaitingForInstances' } as const

function notTold(error: CloudError): Verdict<ClusterReason> {
  const todo =
    error.kind === 'denied'
      ? 'Correct the credentials or permissions; the manager asks again.'
      : 'The manager asks again.'
  const message = `The manager cannot see whether instances of the cluster are left. ${inSentence(error)}. ${todo}`
  return { ...waiting, message }
}
