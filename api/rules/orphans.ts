/** An instance that carries the owner id of a Cluster here. */
export interface OwnedInstance {
  readonly id: string
  /** What the cloud calls it, where that is not the id. */
  readonly name?: string
  /** The tag of its machine. */
  readonly machine: string
  readonly token: string
  /** By the cloud's clock; undefined where the cloud does not tell. */
  readonly launchedAt?: number
}

/** What an infra machine says of its instance, by a list that is newer than that of the instances. */
export interface ClaimingMachine {
  /** Its tag. */
  readonly machine: string
  /** Of its attempt; undefined when it has none. */
  readonly token: string | undefined
  readonly providerID: string | undefined
}

/**
 * Nothing is an orphan that any machine may claim: by its attempt, by its providerID, or by name while it has neither.
 */
export function orphansAmong(
  instances: readonly OwnedInstance[],
  machines: readonly ClaimingMachine[],
): readonly OwnedInstance[] {
  const byMark = new Map(machines.map((claim) => [claim.machine, claim]))
  const tokens = new Set(machines.flatMap(({ token }) => (token === undefined ? [] : [token])))
  const claimedIds = new Set(machines.flatMap(({ providerID }) => providerID?.split('/').at(-1) ?? []))
  return instances.filter(({ id, name, machine, token }) => {
    if (tokens.has(token) || claimedIds.has(id) || claimedIds.has(name ?? id)) return false
    const namesake = byMark.get(machine)
    return namesake === undefined || namesake.token !== undefined || namesake.providerID !== undefined
  })
}

/** Whoever has led for so long has seen what there was when it began, and has written down what others have to know. */
const settledAfterMs = 10 * 60_000

/** When the manager before this one was last alive, if what it wrote down can be relied on; undefined: nobody knows. */
export function lastRenewal(
  before: { readonly renewedAt: number | undefined; readonly ledForMs: number | undefined } | undefined,
): number | undefined {
  return (before?.ledForMs ?? 0) >= settledAfterMs ? before?.renewedAt : undefined
}

/** What this process knows of how an instance came to be. */
export interface Origin {
  /** This process has seen an attempt with its token. */
  readonly isAttempted: boolean
  /** It was in the first whole list of this process. */
  readonly isInherited: boolean
  /** By the cloud's clock; undefined where the cloud does not tell. */
  readonly launchedAt: number | undefined
}

/**
 * How far the clocks of a cloud and of a manager may be apart, and how long it takes until the manager before this one
 * had seen what appeared, and written it down.
 */
const notedWithinMs = 5 * 60_000

/**
 * Whether another manager made it, one that lives and has the same owner id. This process never began it. Somebody else
 * did while this process watched, or after the last moment at which the Lease, as this process found it, was renewed:
 * in a restored copy of etcd both the Lease and the attempts are older than that.
 */
export function isOfAnotherManager(
  { isAttempted, isInherited, launchedAt }: Origin,
  leaseRenewedAt: number | undefined,
): boolean {
  if (isAttempted) return false
  if (!isInherited || launchedAt === undefined || leaseRenewedAt === undefined) return true
  return launchedAt > leaseRenewedAt - notedWithinMs
}

export interface SweepFacts {
  readonly orphans: readonly OwnedInstance[]
  /** How many instances the Cluster has in all. */
  readonly instances: number
  /** How many of them were ended within the last hour. */
  readonly ended: number
  readonly mode: 'Terminate' | 'Report'
  /** The owner id is not this Cluster's alone. */
  readonly isShared: boolean
}

/** Whom to end now, and what to tell of all others. */
export interface SweepVerdict {
  readonly terminate: readonly OwnedInstance[]
  readonly report?: string
}

/**
 * Many orphans at once are more likely our mistake than the cloud's: then nothing is ended and a person is told. The
 * same number is the most within an hour, so that a mistake that goes on stays as small.
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

/** The first few of them, for people. */
export function named(orphans: readonly OwnedInstance[]): string {
  const first = orphans.slice(0, 5).map(({ id, name }) => (name === undefined ? id : `${id} (${name})`))
  return orphans.length > first.length ? `${first.join(', ')} and others` : first.join(', ')
}
