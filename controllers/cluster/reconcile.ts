import { findCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { core, finalizers } from '../../api/labels.ts'
import { isMovedAway, isPaused, owningClusterName, type Cluster, type InfraCluster } from '../../api/machine.ts'
import type { ClusterReason } from '../../api/reasons.ts'
import { noticeSourcesVerdict } from '../../api/rules/interruption/notice-sources.ts'
import type { Scope } from '../../api/scope.ts'
import { inSentence } from '../../api/sentence.ts'
import type { Fleet } from '../../providers/fleet/fleet.ts'
import { refersTo } from '../shared/infra-cluster.ts'
import type { Result } from '../runtime/controller/result.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { accountBar } from './allowed.ts'
import { pinAccount, unknownAccount } from './account.ts'
import { unseen, writeConditions, writePaused, type Verdicts } from './conditions.ts'
import type { ClusterDeps } from './deps.ts'
import { reconcileDelete } from './reconcile-delete.ts'
import { identityOf, keepOwnerId, mint, ownerIdOf } from './owner.ts'
import { lookAfter, strippedCause } from './owner-id-shared.ts'

const sweepEveryMs = 30_000

const provisioned: Verdict<ClusterReason> = {
  status: 'True',
  reason: 'Provisioned',
  message: 'Machines can be created. Each launch looks for the network that the spec names.',
}

/**
 * Does little, because the network is the user's: it mints the owner id, pins the account, and is the last to be
 * deleted.
 */
export async function reconcileCluster(key: string, deps: ClusterDeps, ctx: Ctx): Promise<Result> {
  const object = deps.infraClusters.get(key)
  if (!object) {
    deps.leaveFleet(key)
    return 'done'
  }
  const name = owningClusterName(object)
  const owner = name === undefined ? undefined : deps.clusters.get(`${object.metadata.namespace}/${name}`)
  const cluster = owner && refersTo(owner, object, deps.resource) ? owner : undefined
  if (isExternallyManaged(object)) return mintOnly(object, cluster, deps, ctx)
  if (isPaused(object, owner)) {
    // clusterctl move deletes this copy next, so its status does not matter.
    if (!isMovedAway(object)) await writePaused(object, deps, ctx)
    return 'done'
  }
  return serveCluster(object, { owner, cluster }, deps, ctx)
}

/** `owner`: the owner of the object. `cluster`: the same, if it refers to the object. */
async function serveCluster(
  object: InfraCluster,
  { owner, cluster }: { owner: Cluster | undefined; cluster: Cluster | undefined },
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<Result> {
  const bar = await accountBar(object, deps, ctx)
  // Without a copy of the owner id nothing was launched, so there is nothing to look for.
  const hasLaunched = ownerIdOf(object) !== undefined
  if (bar && (hasLaunched || !object.metadata.deletionTimestamp)) return barred(object, bar, deps, ctx)
  if (object.metadata.deletionTimestamp) return reconcileDelete(object, deps, ctx)
  if (cluster) return provide(object, cluster, deps, ctx)
  await writeConditions(object, { verdicts: { Ready: waitingFor(owner, object, deps), ...unseen(object) } }, deps, ctx)
  return 'done'
}

/** Nothing is listed, launched or ended. The conditions of running machines stay. */
async function barred(object: InfraCluster, bar: Verdict<ClusterReason>, deps: ClusterDeps, ctx: Ctx): Promise<Result> {
  deps.leaveFleet(keyOf(object))
  await writeConditions(object, { verdicts: { Ready: bar, ...unseen(object) } }, deps, ctx)
  return { requeueAfterMs: 5 * 60_000, reason: 'its namespace may not use its account' }
}

async function provide(object: InfraCluster, cluster: Cluster, deps: ClusterDeps, ctx: Ctx): Promise<Result> {
  // This comes before the owner id. Nothing is launched without that, so the account is known before the first launch.
  const account = await pinAccount(object, ownerIdOf(object) ?? ownerIdOf(cluster), deps, ctx)
  const { isUnknown } = account
  const identity = await keepOwnerId({ cluster, object: account.object }, deps, ctx)
  const { object: pinned, ownerId } = identity
  const cloud = await deps.cloud()
  const fleet = deps.fleetOf(cloud.scopeOf(pinned), cloud, keyOf(object))
  const held = await holdOn(pinned, fleet.hasSynced ? ownerId : undefined, deps, ctx)
  const ready = isUnknown && fleet.hasSynced ? unknownAccount : readiness(fleet)
  const told = await report(
    held,
    { Ready: ready, ...noticeSources(pinned, cluster, cloud.scopeOf(pinned), deps) },
    deps,
    ctx,
  )
  const looked = await lookAfter({ ...identity, object: told, cluster }, deps, ctx)
  await report(looked.object, { Ready: ready, ...looked.verdicts }, deps, ctx)
  if (!fleet.hasSynced)
    return { requeueAfterMs: fleet.trouble ? 15_000 : 250, reason: 'the account has not been listed yet' }
  if (fleet.trouble || isUnknown) return { requeueAfterMs: 15_000, reason: 'the account is not listed as it should be' }
  return { requeueAfterMs: sweepEveryMs, reason: 'the next look for instances without a machine' }
}

function noticeSources({ status }: InfraCluster, cluster: Cluster, scope: Scope, deps: ClusterDeps): Verdicts {
  const wasSaid = findCondition(status?.conditions, 'NoticeSources') !== undefined
  const verdict = noticeSourcesVerdict(deps.noticeSources({ cluster: keyOf(cluster), scope }), wasSaid)
  return verdict ? { NoticeSources: verdict } : {}
}

function waitingFor(
  owner: Cluster | undefined,
  { metadata }: InfraCluster,
  { resource }: ClusterDeps,
): Verdict<ClusterReason> {
  const ref = owner?.spec.infrastructureRef
  const meant = ref ? `${ref.kind} ${ref.name} of ${ref.apiGroup}` : 'no infrastructure cluster'
  const message = owner
    ? `spec.infrastructureRef of Cluster ${owner.metadata.name} names ${meant}, not this ${resource.kind} ${metadata.name}.`
    : 'Waiting for the Cluster that owns this object.'
  return { status: 'Unknown', reason: 'WaitingForCluster', message }
}

/**
 * Refused credentials are reported here, once, and not on every machine: their instances run on unseen. Temporary
 * trouble is not reported, and `provisioned` stays true.
 */
function readiness({ trouble }: Fleet): Verdict<ClusterReason> {
  if (trouble?.kind !== 'denied') return provisioned
  const message = `The cloud rejected the credentials or permissions of the manager. ${inSentence(trouble)}. Correct them; until then the manager does not see the instances.`
  return { status: 'False', reason: 'CredentialsDenied', message }
}

/**
 * For an externally managed infrastructure cluster. The contract of Cluster API forbids writes to it: no status, no
 * finalizer, no copy. Its machines need an owner id, which is written to the Cluster.
 */
async function mintOnly(
  object: InfraCluster,
  cluster: Cluster | undefined,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<Result> {
  const isLeft = !cluster || isPaused(object, cluster) || object.metadata.deletionTimestamp !== undefined
  if (!isLeft && ownerIdOf(cluster) === undefined) await mint(cluster, deps, ctx)
  return 'done'
}

/**
 * Writes the finalizer and the copy of the owner id. The Cluster may be gone first when everything is deleted at once.
 * The copy is written after the first list of the account, because no machine is launched before that. Without the copy
 * there is nothing to wait for. So a Cluster with a mistyped or closed account can be deleted.
 */
async function holdOn(
  object: InfraCluster,
  ownerId: string | undefined,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<InfraCluster> {
  const { namespace, name, resourceVersion, finalizers: present = [] } = object.metadata
  const isNoted = ownerId === undefined || ownerIdOf(object) === ownerId
  if (present.includes(finalizers.cluster) && isNoted) return object
  const patch = {
    metadata: {
      resourceVersion,
      finalizers: [...new Set([...present, finalizers.cluster])],
      ...(isNoted ? {} : { annotations: { ...(await identityOf(ownerId, deps, ctx)), ...strippedCause(object) } }),
    },
  }
  return deps.client.mergePatch<InfraCluster>(deps.resource, { namespace, name }, { patch }, ctx)
}

/** The status of a cluster in which machines may be created. Returns the object after the write. */
async function report(object: InfraCluster, verdicts: Verdicts, deps: ClusterDeps, ctx: Ctx): Promise<InfraCluster> {
  const { status } = object
  const failureDomains = (await deps.cloud()).failureDomainsOf(object)
  const more = {
    initialization: { provisioned: true },
    // An empty list is written only to remove the domains of before.
    ...(failureDomains.length > 0 || status?.failureDomains ? { failureDomains } : {}),
  }
  return writeConditions(object, { verdicts, more }, deps, ctx)
}

/** The book names a label, and core reads the annotation. Both count. */
function isExternallyManaged({ metadata }: InfraCluster): boolean {
  return metadata.annotations?.[core.managedBy] !== undefined || metadata.labels?.[core.managedBy] !== undefined
}
