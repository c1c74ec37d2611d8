import { readAttempt } from '../../api/attempt.ts'
import type { Ctx } from '../../api/ctx.ts'
import { clusters } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import { clusterLabelOf, type Cluster, type InfraCluster } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { keeperOf, type Holding } from '../../api/rules/owner-id.ts'
import { newId } from '../../providers/shared/ownership.ts'
import { infraClusterOf } from '../shared/infra-cluster.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { everyMachine } from './claims.ts'
import type { ClusterDeps } from './deps.ts'

export function ownerIdOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[annotations.ownerId]
}

/** A Cluster and the infrastructure cluster to which it refers. */
export interface Pair {
  readonly cluster: Cluster
  readonly object: InfraCluster
}

/** The owner id of a Cluster, and the other Clusters that carry it. */
export interface Identity {
  /** The object after all writes. */
  readonly object: InfraCluster
  readonly ownerId: string
  readonly rivals: readonly Holding[]
}

/**
 * Returns the owner id of the Cluster, and writes it where it is missing. The copy on the infrastructure cluster wins,
 * because instances carry it. If two Clusters have one owner id, the one without instances under it gets a new one.
 */
export async function keepOwnerId(pair: Pair, deps: ClusterDeps, ctx: Ctx): Promise<Identity> {
  const { cluster, object } = pair
  const [own, kept] = [ownerIdOf(cluster), ownerIdOf(object)]
  const ownerId = kept ?? own
  if (ownerId === undefined) return { object, ownerId: await mint(cluster, deps, ctx), rivals: [] }
  const rivals = rivalsOf(ownerId, cluster.metadata, deps)
  const mine: Holding = { cluster: keyOf(cluster), heldSince: kept === undefined ? undefined : since(object) }
  if (rivals.length > 0 && (await isToGiveWay({ ownerId, mine, rivals }, deps, ctx))) return renew(pair, deps, ctx)
  if (own !== ownerId) await putBack(pair, ownerId, deps, ctx)
  return { object, ownerId, rivals }
}

/**
 * Writes a random id with the resourceVersion as precondition. If two writers mint at the same time, one fails and
 * reads again.
 */
export async function mint(cluster: Cluster, deps: ClusterDeps, ctx: Ctx): Promise<string> {
  const ownerId = newId('owner')
  await writeToCluster(cluster, ownerId, deps, ctx)
  return ownerId
}

/** All other Clusters that carry the owner id, on the Cluster or on the copy. */
export function rivalsOf(
  ownerId: string,
  { namespace, name }: { namespace: string; name: string },
  { clusters: all, everyKind }: Pick<ClusterDeps, 'clusters' | 'everyKind'>,
): Holding[] {
  return all.list().flatMap((cluster) => {
    const { metadata } = cluster
    if (metadata.namespace === namespace && metadata.name === name) return []
    const infra = everyKind().flatMap((kind) => infraClusterOf(cluster, kind) ?? [])[0]
    const isCopied = infra !== undefined && ownerIdOf(infra) === ownerId
    if (!isCopied && ownerIdOf(cluster) !== ownerId) return []
    return [{ cluster: keyOf(cluster), heldSince: isCopied ? since(infra) : undefined }]
  })
}

function since({ metadata }: InfraCluster): string {
  return metadata.creationTimestamp ?? ''
}

/**
 * Only a Cluster without attempts under the id gives way: to an older Cluster, and to one with attempts. Age proves
 * little, because an infrastructure cluster that was moved, restored or recreated is young.
 */
async function isToGiveWay(
  { ownerId, mine, rivals }: { ownerId: string; mine: Holding; rivals: readonly Holding[] },
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<boolean> {
  if (await hasAttempts(ownerId, mine, deps, ctx)) return false
  if (keeperOf([mine, ...rivals]) !== mine.cluster) return true
  for (const rival of rivals) if (await hasAttempts(ownerId, rival, deps, ctx)) return true
  return false
}

/**
 * Reads a fresh list. A machine with a providerID, or without a readable attempt, may have had an attempt under this
 * id.
 */
async function hasAttempts(
  ownerId: string,
  { cluster }: Pick<Holding, 'cluster'>,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<boolean> {
  const [namespace = '', name] = cluster.split('/')
  const machines = await everyMachine(namespace, deps, ctx)
  return machines.some((machine) => {
    if (clusterLabelOf(machine) !== name) return false
    const reading = readAttempt(machine)
    if (reading.is === 'none') return machine.spec.providerID !== undefined
    return reading.is === 'ours' ? reading.attempt.owner === ownerId : reading.is === 'foreign'
  })
}

/** Writes the copy first. If the second write fails, the next pass puts the copy's id on the Cluster. */
async function renew({ cluster, object }: Pair, deps: ClusterDeps, ctx: Ctx): Promise<Identity> {
  const ownerId = newId('owner')
  ctx.log.warn('Giving a Cluster an owner id of its own: it had that of another', { Cluster: keyOf(cluster), ownerId })
  const written = ownerIdOf(object) === undefined ? object : await writeCopy(object, ownerId, deps, ctx)
  await writeToCluster(cluster, ownerId, deps, ctx)
  return { object: written, ownerId, rivals: [] }
}

/**
 * Somebody has replaced the Cluster without its annotation, or changed it. The write depends on a fresh read and not on
 * a cache, which may be late.
 */
async function putBack({ cluster, object }: Pair, ownerId: string, deps: ClusterDeps, ctx: Ctx): Promise<void> {
  const { namespace, name } = object.metadata
  const fresh = await deps.client.get<InfraCluster>(deps.resource, { namespace, name }, ctx)
  if (ownerIdOf(fresh) !== ownerId) throw new Error('The cache shows an older owner id than the API server')
  ctx.log.warn('Putting back the owner id of a Cluster', { Cluster: keyOf(cluster), ownerId })
  await writeToCluster(cluster, ownerId, deps, ctx)
}

async function writeToCluster({ metadata }: Cluster, ownerId: string, deps: ClusterDeps, ctx: Ctx): Promise<void> {
  const { namespace, name, resourceVersion } = metadata
  const patch = { metadata: { resourceVersion, annotations: await identityOf(ownerId, deps, ctx) } }
  await deps.client.mergePatch(clusters, { namespace, name }, { patch }, ctx)
}

async function writeCopy(
  { metadata }: InfraCluster,
  ownerId: string,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<InfraCluster> {
  const { namespace, name, resourceVersion } = metadata
  const patch = { metadata: { resourceVersion, annotations: await identityOf(ownerId, deps, ctx) } }
  return deps.client.mergePatch<InfraCluster>(deps.resource, { namespace, name }, { patch }, ctx)
}

/** The annotations with the owner id and its holder. */
export async function identityOf(ownerId: string, deps: ClusterDeps, ctx: Ctx): Promise<Record<string, string>> {
  return { [annotations.ownerId]: ownerId, [annotations.ownerIdHolder]: await deps.holder(ctx) }
}
