import { findCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { clusters } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { Cluster, InfraCluster } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { ClusterReason, EventReason } from '../../api/reasons.ts'
import { named } from '../../api/rules/orphans.ts'
import { keeperOf, type Holding } from '../../api/rules/owner-id.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { Verdicts } from './conditions.ts'
import type { ClusterDeps } from './deps.ts'
import type { Identity } from './owner.ts'

const onlyReported = ' Instances without a machine are only reported.'

/** A longer annotation, which somebody has written, is cut. */
const longestCause = 300

interface Looked {
  readonly object: InfraCluster
  readonly verdicts: Verdicts
}

/**
 * Ends instances of this owner id that belong to no machine, unless others have the owner id too. An annotation records
 * that another manager has it. It moves with the object, and stays until a person removes it.
 */
export async function lookAfter(
  { cluster, ...identity }: Identity & { readonly cluster: Cluster | undefined },
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<Looked> {
  const { ownerId, rivals } = identity
  if (wasLifted(identity.object)) await deps.sweep.accept(identity)
  let object = await hold({ ...identity, cluster }, deps, ctx)
  const isShared = rivals.length > 0 || causeOf(object) !== undefined
  const { verdict, strangers } = await deps.sweep.run({ object, ownerId, isShared }, ctx)
  if (strangers.length > 0 && causeOf(object) === undefined) {
    const cause = `Another manager creates instances with this owner id: ${named(strangers)}.`
    object = await noteShared(object, { [annotations.ownerIdShared]: cause }, deps, ctx)
  }
  const shared = sharedVerdict({ ...identity, object, cluster }, deps)
  return { object, verdicts: { ...(verdict ? { OrphansFound: verdict } : {}), ...shared } }
}

function causeOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[annotations.ownerIdShared]
}

/**
 * The annotation is written before the condition. So a condition without the annotation means that a person has removed
 * the annotation. In an older copy of etcd both are missing.
 */
function wasLifted(object: InfraCluster): boolean {
  const said = findCondition(object.status?.conditions, 'OwnerIdShared')
  return said?.status === 'True' && said.reason === 'AnotherManager' && causeOf(object) === undefined
}

/**
 * Restores the annotation together with the copy of the owner id. A tool that replaces the whole object removes all
 * annotations, and that says nothing about other managers.
 */
export function strippedCause(object: InfraCluster): Record<string, string> {
  const said = findCondition(object.status?.conditions, 'OwnerIdShared')
  if (!said || !wasLifted(object)) return {}
  return { [annotations.ownerIdShared]: said.message.split(onlyReported)[0] ?? '' }
}

/**
 * Writes this manager as the holder beside the owner id. If another holder stands there, the objects were moved here or
 * copied. After a move the machines are here too, so every instance has one. If an instance has none, only a person can
 * tell.
 */
async function hold(
  { object, ownerId, cluster }: Pick<Identity, 'object' | 'ownerId'> & { readonly cluster: Cluster | undefined },
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<InfraCluster> {
  const cloud = await deps.cloud()
  if (!deps.fleetOf(cloud.scopeOf(object), cloud, keyOf(object)).hasSynced) return object
  const mine = await deps.holder(ctx)
  const [here, there] = [holderOf(object), cluster && holderOf(cluster)]
  const other = [here, there].find((holder) => holder !== undefined && holder !== mine)
  const isMoved = other === undefined || (await deps.sweep.isAllClaimed({ object, ownerId }, ctx))
  const held = { [annotations.ownerIdHolder]: mine }
  let written = object
  if (!isMoved && causeOf(object) === undefined) {
    const cause = `Another manager (${other}) holds this owner id, and some of its instances have no machine here.`
    written = await noteShared(object, { ...held, [annotations.ownerIdShared]: cause }, deps, ctx)
  } else if (here !== mine) {
    written = await annotate(object, held, deps, ctx)
  }
  // This comes last: while the other holder stands on the Cluster, all this is checked again.
  if (cluster && there !== mine) await annotateCluster(cluster, held, deps, ctx)
  return written
}

function holderOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[annotations.ownerIdHolder]
}

async function annotate(
  { metadata }: InfraCluster,
  added: Readonly<Record<string, string>>,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<InfraCluster> {
  const { namespace, name, resourceVersion } = metadata
  const patch = { metadata: { resourceVersion, annotations: added } }
  return deps.client.mergePatch<InfraCluster>(deps.resource, { namespace, name }, { patch }, ctx)
}

async function annotateCluster(
  { metadata: { namespace, name, uid } }: Cluster,
  added: Readonly<Record<string, string>>,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<void> {
  const patch = { metadata: { ...(uid === undefined ? {} : { uid }), annotations: added } }
  await deps.client.mergePatch(clusters, { namespace, name }, { patch }, ctx)
}

async function noteShared(
  object: InfraCluster,
  added: Readonly<Record<string, string>>,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<InfraCluster> {
  const written = await annotate(object, added, deps, ctx)
  const reason: EventReason = 'OwnerIdShared'
  const message = `${added[annotations.ownerIdShared]} From now on, instances without a machine are only reported.`
  deps.recorder.event({ object, type: 'Warning', reason, message }, ctx)
  return written
}

/** Empty if there is no cause, and never was one. */
function sharedVerdict(
  { object, rivals, cluster }: Identity & { readonly cluster: Cluster | undefined },
  deps: ClusterDeps,
): Verdicts {
  const cause = causeOf(object)
  if (cause !== undefined) return { OwnerIdShared: withAnotherManager(cause, object, deps) }
  if (rivals.length > 0) return { OwnerIdShared: withAnotherCluster({ object, rivals, cluster }) }
  if (!findCondition(object.status?.conditions, 'OwnerIdShared')) return {}
  const message = 'No other Cluster and no other manager is known to use this owner id.'
  return { OwnerIdShared: { status: 'False', reason: 'OwnerIdNotShared', message } }
}

function withAnotherManager(
  cause: string,
  { metadata }: InfraCluster,
  { resource }: ClusterDeps,
): Verdict<ClusterReason> {
  const message =
    `${cause.slice(0, longestCause)}${onlyReported} Once no other manager uses this ` +
    `owner id, remove annotation ${annotations.ownerIdShared} of ${resource.kind} ${metadata.name}.`
  return { status: 'True', reason: 'AnotherManager', message }
}

function withAnotherCluster({
  object,
  rivals,
  cluster,
}: Pick<Identity, 'object' | 'rivals'> & { readonly cluster: Cluster | undefined }): Verdict<ClusterReason> {
  const heldSince = object.metadata.creationTimestamp ?? ''
  const mine: Holding[] = cluster ? [{ cluster: keyOf(cluster), heldSince }] : []
  const all = [...mine, ...rivals]
  const younger = all.map(({ cluster: key }) => key).filter((key) => key !== keeperOf(all))
  const message =
    `Cluster ${rivals.map(({ cluster: key }) => key).join(', ')} has the same owner id, so instances without a machine ` +
    `are only reported. Delete the machines of ${younger.join(', ')}. The Cluster then gets a new owner id.`
  return { status: 'True', reason: 'AnotherCluster', message }
}
