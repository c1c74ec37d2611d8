import { readAttempt } from '../../api/attempt.ts'
import type { Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { annotations, core } from '../../api/labels.ts'
import type { InfraCluster, InfraMachine } from '../../api/machine.ts'
import type { ClusterReason } from '../../api/reasons.ts'
import { isOtherAccount } from '../../providers/shared/account.ts'
import type { Fleet } from '../../providers/fleet/fleet.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { ClusterDeps } from './deps.ts'

const pageSize = 200

export interface Pinned {
  /** As it then stands. */
  readonly object: InfraCluster
  /** It has instances, and nothing shows which account they are in. */
  readonly isUnknown: boolean
}

/**
 * Writes on the infrastructure cluster which account its instances are in. What the cloud shows of the cluster decides.
 * Credentials alone decide only while the cluster has no instance: else an update of the manager under wrong
 * credentials would make their account the right one.
 */
export async function pinAccount(
  object: InfraCluster,
  ownerId: string | undefined,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<Pinned> {
  const cloud = await deps.cloud()
  const scope = cloud.scopeOf(object)
  const pinned = object.metadata.annotations?.[annotations.account]
  const isPinned = pinned !== undefined && pinned === scope.account
  const fleet = deps.fleetOf(scope, cloud, keyOf(object))
  if (isPinned) {
    if (!isRefused(fleet)) return { object, isUnknown: isAnybodys(fleet) && (await hasInstances(object, deps, ctx)) }
  }
  // One of a machine that etcd has forgotten counts too: nobody else would ever end it.
  const hasAny = isShown(ownerId, fleet) || (await hasInstances(object, deps, ctx))
  const account = hasAny ? shownAccount(ownerId, fleet) : await cloud.accountOf(scope, ctx)
  if (account === undefined) return { object, isUnknown: hasAny && !isPinned }
  return { object: account === pinned ? object : await pin(object, account, deps, ctx), isUnknown: false }
}

function shownAccount(ownerId: string | undefined, fleet: Fleet): string | undefined {
  return ownerId === undefined ? undefined : fleet.accountOf(ownerId)
}

/** By the last list that came through, which may be of other credentials than the present ones. */
function isShown(ownerId: string | undefined, fleet: Fleet): boolean {
  return ownerId !== undefined && fleet.ownedBy(ownerId).length > 0
}

function isRefused({ trouble }: Pick<Fleet, 'trouble'>): boolean {
  return trouble !== undefined && isOtherAccount(trouble)
}

/** Lists come through, and show nothing by which to tell whose they are. */
function isAnybodys({ hasSynced, isOfOurAccount }: Pick<Fleet, 'hasSynced' | 'isOfOurAccount'>): boolean {
  return hasSynced && !isOfOurAccount
}

/** What the infrastructure cluster says meanwhile. */
export const unknownAccount: Verdict<ClusterReason> = {
  status: 'False',
  reason: 'AccountUnknown',
  message:
    'The cloud shows no instance of this cluster, so the credentials may belong to another account. Nothing is created, ' +
    `replaced or released. Correct the credentials, or set annotation ${annotations.account} to the account of the instances.`,
}

/** By a fresh list: a cache that has not heard of a machine yet would have the wrong account pinned. */
async function hasInstances(object: InfraCluster, deps: ClusterDeps, ctx: Ctx): Promise<boolean> {
  const { namespace, name, labels } = object.metadata
  const labelSelector = `${core.clusterName}=${labels?.[core.clusterName] ?? name}`
  let next: string | undefined
  do {
    const asked = { namespace, labelSelector, limit: pageSize, ...(next ? { continue: next } : {}) }
    const page = await deps.client.list<InfraMachine>(deps.machineResource, asked, ctx)
    if (page.items.some(mayHaveInstance)) return true
    next = page.continue
  } while (next)
  return false
}

function mayHaveInstance(machine: InfraMachine): boolean {
  const reading = readAttempt(machine)
  if (machine.spec.providerID !== undefined || reading.is === 'foreign') return true
  return reading.is === 'ours' && (reading.attempt.handle !== undefined || !reading.attempt.refused)
}

async function pin(object: InfraCluster, account: string, deps: ClusterDeps, ctx: Ctx): Promise<InfraCluster> {
  const { namespace, name, resourceVersion } = object.metadata
  ctx.log.info('Pinning the account of the cluster', { account })
  const patch = { metadata: { resourceVersion, annotations: { [annotations.account]: account } } }
  return deps.client.mergePatch<InfraCluster>(deps.resource, { namespace, name }, { patch }, ctx)
}
