/** A Cluster that carries an owner id. */
export interface Holding {
  /** `namespace/name` */
  readonly cluster: string
  /** The creation time of the infrastructure cluster with the copy; undefined without one. */
  readonly heldSince: string | undefined
}

/**
 * The Cluster that keeps a shared owner id: the one whose infrastructure cluster has had it longest. A Cluster without
 * a copy has launched nothing under it.
 */
export function keeperOf(holdings: readonly Holding[]): string | undefined {
  return holdings.toSorted(byAge)[0]?.cluster
}

function byAge(one: Holding, other: Holding): number {
  // Without a time it comes after all times.
  const [a, b] = [one, other].map(({ heldSince = '~', cluster }) => `${heldSince} ${cluster}`)
  return (a ?? '') < (b ?? '') ? -1 : 1
}
