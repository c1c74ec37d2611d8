/** A Machine that is to be replaced now. */
export interface Due {
  readonly key: string
  readonly owner: string
  readonly isReleased: boolean
  /** A health check of ours removes it. One of somebody else may pass over some for ever, and must find all. */
  readonly isManaged: boolean
}

/**
 * Core goes over all Machines of a MachineSet that wait for their removal whenever one of them changes, and writes to
 * each. Two hundred that wait for a maxInFlight of 20 keep its API server busy with nothing else.
 */
export const waitingAtOnce = 32

/** Whose turn it is to be marked: of each owner so many at a time. Who is being deleted makes room for the next. */
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
