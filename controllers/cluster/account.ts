import { readAttempt } from '../../api/attempt.ts'
import type { Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { annotations, core } from '../../api/labels.ts'
import type { InfraCluster, InfraMachine } from '../../api/machine.ts'
import type { ClusterReason } from '../../api/reasons.ts'
import { isOtherAccount } from '../../providers/shared/account.ts'
import type { Fleet } from '../../providers/fleet/fleet.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { unseen, writeConditions } from './conditions.ts'
import type { ClusterDeps } from './deps.ts'

const pageSize = 200

export interface Pinned {
  /** The object after the write. */
  readonly object: InfraCluster
  /** The cluster has instances, and nothing shows in which account they are. */
  readonly isUnknown: boolean
}

/**
 * Writes the account of its instances to the infrastructure cluster. If the cloud shows instances of the cluster, their
 * account counts. The account of the credentials counts only while there are none. Otherwise an update of the manager
 * with wrong credentials would make their account the right one.
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
  // An instance without a machine counts too: only this cluster's sweep would ever end it.
  const hasAny = isShown(ownerId, fleet) || (await hasInstances(object, deps, ctx))
  const account = hasAny ? shownAccount(ownerId, fleet) : await cloud.accountOf(scope, ctx)
  if (account === undefined) return { object, isUnknown: hasAny && !isPinned }
  return { object: account === pinned ? object : await pin(object, account, deps, ctx), isUnknown: false }
}

function shownAccount(ownerId: string | undefined, fleet: Fleet): string | undefined {
  return ownerId === undefined ? undefined : fleet.accountOf(ownerId)
}

/** Whether the last successful list shows an instance. That list may have been made with other credentials. */
function isShown(ownerId: string | undefined, fleet: Fleet): boolean {
  return ownerId !== undefined && fleet.ownedBy(ownerId).length > 0
}

function isRefused({ trouble }: Pick<Fleet, 'trouble'>): boolean {
  return trouble !== undefined && isOtherAccount(trouble)
}

/** Lists succeed, but show nothing that proves the account. */
function isAnybodys({ hasSynced, isOfOurAccount }: Pick<Fleet, 'hasSynced' | 'isOfOurAccount'>): boolean {
  return hasSynced && !isOfOurAccount
}

/** The condition while the account is unknown. */
export const unknownAccount: Verdict<ClusterReason> = {
  status: 'False',
  reason: 'AccountUnknown',
  message:
    'The cloud shows no instance of this cluster, so the credentials may belong to another account. Nothing is created, ' +
    `replaced or released. Correct the credentials, or set annotation ${annotations.account} to the account of the instances.`,
}

/** Reads a fresh list: a cache that lacks a new machine would lead to the wrong account. */
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

/**
 * What OrphansFound says about another account is taken back first. If the process ends in between, the next one does
 * not believe it of this account.
 */
async function pin(object: InfraCluster, account: string, deps: ClusterDeps, ctx: Ctx): Promise<InfraCluster> {
  const verdicts = unseen(object)
  const hasSaid = Object.keys(verdicts).length > 0
  const { metadata } = hasSaid ? await writeConditions(object, { verdicts }, deps, ctx) : object
  const { namespace, name, resourceVersion } = metadata
  ctx.log.info('Pinning the account of the cluster', { account })
  const patch = { metadata: { resourceVersion, annotations: { [annotations.account]: account } } }
  return deps.client.mergePatch<InfraCluster>(deps.resource, { namespace, name }, { patch }, ctx)
}
