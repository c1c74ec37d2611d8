import type { Verdict } from '../conditions.ts'
import type { MachineDigest, OwnershipTag } from '../ownership.ts'
import type { ClusterReason } from '../reasons.ts'

/** An instance that carries the owner id of a Cluster here. */
export interface OwnedInstance {
  readonly id: string
  /** Its name in the cloud, if that is not the id. */
  readonly name?: string
  readonly tag: OwnershipTag
  /** By the cloud's clock; undefined if the cloud does not show it. */
  readonly launchedAt?: number
}

/** What an infra machine says about its instance. The list of machines is newer than that of the instances. */
export interface ClaimingMachine {
  readonly machine: MachineDigest
  /** The token of its attempt; undefined without one. */
  readonly token: string | undefined
  /** The tokens of its refused attempts of which something remains. It removes that itself. */
  readonly left?: readonly string[]
  readonly providerID: string | undefined
}

/** An instance is no orphan if a machine may claim it: by attempt, by providerID, or by name while it has neither. */
export function orphansAmong(
  instances: readonly OwnedInstance[],
  machines: readonly ClaimingMachine[],
): readonly OwnedInstance[] {
  const byDigest = new Map(machines.map((claim) => [claim.machine, claim]))
  const tokens = new Set(machines.map(({ token }) => token))
  // What is left of a machine is its own. Otherwise a tenant could keep the instance of another machine for ever.
  const left = new Set(machines.flatMap(({ machine, left = [] }) => left.map((token) => `${machine} ${token}`)))
  const claimedIds = new Set(machines.flatMap(({ providerID }) => providerID?.split('/').at(-1) ?? []))
  return instances.filter(({ id, name, tag }) => {
    if (tokens.has(tag.token) || left.has(`${tag.machine} ${tag.token}`)) return false
    if (claimedIds.has(id) || claimedIds.has(name ?? id)) return false
    const namesake = byDigest.get(tag.machine)
    return namesake === undefined || namesake.token !== undefined || namesake.providerID !== undefined
  })
}

/**
 * A manager that has led for this long has seen all instances of its start, and has written down what others need to
 * know.
 */
const settledAfterMs = 10 * 60_000

/** The last sign of life of the previous manager, if its records are complete; otherwise undefined. */
export function lastRenewal(
  before: { readonly renewedAt: number | undefined; readonly ledForMs: number | undefined } | undefined,
): number | undefined {
  return (before?.ledForMs ?? 0) >= settledAfterMs ? before?.renewedAt : undefined
}

/** The condition OrphansFound while nobody looks. */
export const instancesUnseen = {
  status: 'Unknown',
  reason: 'InstancesUnseen',
  message:
    'The manager does not see all instances of this cluster now, so it does not know whether one has no machine.',
} as const satisfies Verdict<ClusterReason>

/**
 * A cluster of which no whole list has come for this long is unseen, and its condition says so. It is less than
 * `notedWithinMs`, so an instance of that time is not taken for one that the previous manager saw.
 */
export const unseenAfterMs = 2 * 60_000

/**
 * The time until which managers before this one saw the instances of the cluster, and noted those of others. Undefined:
 * unknown. `found`: their condition OrphansFound. A manager renews its Lease even while the Cluster is paused, or while
 * it cannot list, and then it sees nothing.
 */
export function seenUntil(
  leaseRenewedAt: number | undefined,
  found: { readonly reason: string } | undefined,
): number | undefined {
  return found && found.reason !== instancesUnseen.reason ? leaseRenewedAt : undefined
}

/** What this process knows about the creation of an instance. */
export interface Origin {
  /** This process has seen an attempt with its token. */
  readonly isAttempted: boolean
  /** It was in the first complete list of this process. */
  readonly isInherited: boolean
  /** By the cloud's clock; undefined if the cloud does not show it. */
  readonly launchedAt: number | undefined
}

/**
 * The largest difference between the clocks of a cloud and a manager, plus the time that the previous manager needed to
 * see an instance and write it down.
 */
const notedWithinMs = 5 * 60_000

/**
 * Whether another living manager with the same owner id created it. This process never began it. Another manager did,
 * while this process watched, or after the time until which managers before it saw the instances. In a restored copy of
 * etcd both the Lease and the attempts are older than that.
 */
export function isOfAnotherManager(
  { isAttempted, isInherited, launchedAt }: Origin,
  seenBeforeUntil: number | undefined,
): boolean {
  if (isAttempted) return false
  if (!isInherited || launchedAt === undefined || seenBeforeUntil === undefined) return true
  return launchedAt > seenBeforeUntil - notedWithinMs
}

export interface SweepFacts {
  readonly orphans: readonly OwnedInstance[]
  /** The number of instances of the Cluster. */
  readonly instances: number
  /** The number of instances that were ended within the last hour. */
  readonly ended: number
  readonly mode: 'Terminate' | 'Report'
  /** Whether others have the same owner id. */
  readonly isShared: boolean
}

/** The instances to end now, and the sentence about the others. */
export interface SweepVerdict {
  readonly terminate: readonly OwnedInstance[]
  readonly report?: string
}

/**
 * Many orphans at once are more likely our mistake than the cloud's. Then nothing is ended, and a person is asked. The
 * same number is the limit within an hour, so that a lasting mistake stays as small.
 */
export function judgeSweep({ orphans, instances, ended, mode, isShared }: SweepFacts): SweepVerdict {
  const most = Math.max(2, Math.floor(instances * 0.05))
  const found = `${orphans.length} of ${instances} instances belong to no machine: ${named(orphans)}.`
  const tell = (why: string): SweepVerdict => ({ terminate: [], report: `${found} ${why}` })
  if (isShared) return tell('The manager terminates none while the condition OwnerIdShared is True.')
  if (mode === 'Report') return tell('The manager terminates none because of --orphans=Report.')
  if (orphans.length > most) {
    return tell(
      `That is more than ${most} at once, so the manager terminates none. Check them, and terminate by hand those that nobody needs.`,
    )
  }
  const left = Math.max(0, most - ended)
  if (left >= orphans.length) return { terminate: orphans }
  const report = `${found} The manager terminates no more than ${most} within an hour; the others follow.`
  return { terminate: orphans.slice(0, left), report }
}

/** The names of the first few, for people. */
export function named(orphans: readonly OwnedInstance[]): string {
  const first = orphans.slice(0, 5).map(({ id, name }) => (name === undefined ? id : `${id} (${name})`))
  return orphans.length > first.length ? `${first.join(', ')} and others` : first.join(', ')
}
