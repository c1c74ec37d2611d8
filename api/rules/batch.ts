/** A Machine whose replacement is due. */
export interface Due {
  readonly key: string
  readonly owner: string
  readonly isReleased: boolean
  /** Whether our health check removes it. Another one may skip some Machines for ever, so it must see all of them. */
  readonly isManaged: boolean
}

/**
 * Whenever one Machine of a MachineSet that waits for removal changes, core reconciles and writes to all of them. Two
 * hundred that wait for a maxInFlight of 20 keep its API server busy with nothing else.
 */
export const waitingAtOnce = 32

/**
 * The Machines that may be marked: a limited number for each owner. A Machine that is being deleted makes room for the
 * next.
 */
export function admitBatch(due: readonly Due[]): ReadonlySet<string> {
  const turns = new Set<string>()
  for (const members of Map.groupBy(due, ({ owner }) => owner).values()) {
    const managed = members.filter(({ isManaged }) => isManaged)
    const marked = managed.filter(({ isReleased }) => isReleased)
    const room = Math.max(0, waitingAtOnce - marked.length)
    const next = managed.filter(({ isReleased }) => !isReleased).slice(0, room)
    for (const { key } of [...members.filter(({ isManaged }) => !isManaged), ...marked, ...next]) turns.add(key)
  }
  return turns
}
