/** An instance that carries the owner id of a Cluster here. */
export interface OwnedInstance {
  readonly id: string
  /** What the cloud calls it, where that is not the id. */
  readonly name?: string
  /** The mark of its machine. */
  readonly machine: string
  readonly token: string
}

/** What an infra machine says of its instance, by a list that is newer than that of the instances. */
export interface ClaimingMachine {
  /** Its mark. */
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

export interface SweepFacts {
  readonly orphans: readonly OwnedInstance[]
  /** How many instances the Cluster has in all. */
  readonly instances: number
  readonly mode: 'Terminate' | 'Report'
}

export type SweepVerdict = { terminate: readonly OwnedInstance[] } | { report: string }

/** Many orphans at once are more likely our mistake than the cloud's: then nothing is ended and a person is told. */
export function judgeSweep({ orphans, instances, mode }: SweepFacts): SweepVerdict {
  const most = Math.max(2, Math.floor(instances * 0.05))
  const found = `${orphans.length} of ${instances} instances belong to no machine: ${named(orphans)}.`
  if (mode === 'Report') return { report: `${found} They are left alone because of --orphans=Report.` }
  if (orphans.length <= most) return { terminate: orphans }
  return {
    report: `${found} That is more than ${most} at once, so none is ended: look at them and end by hand what is nobody's.`,
  }
}

function named(orphans: readonly OwnedInstance[]): string {
  const first = orphans.slice(0, 5).map(({ id, name }) => (name === undefined ? id : `${id} (${name})`))
  return orphans.length > first.length ? `${first.join(', ')} and others` : first.join(', ')
}
