/** A Cluster that carries an owner id. */
export interface Holding {
  /** `namespace/name` */
  readonly cluster: string
  /** When the infrastructure cluster was made that carries the copy; undefined where none does. */
  readonly heldSince: string | undefined
}

/**
 * Whose an owner id is that several Clusters carry: of the one whose infrastructure cluster has held it longest. Who
 * has no copy there has launched nothing under it.
 */
export function keeperOf(holdings: readonly Holding[]): string | undefined {
  return holdings.toSorted(byAge)[0]?.cluster
}

function byAge(one: Holding, other: Holding): number {
  // Without a time it comes after all times.
  const [a, b] = [one, other].map(({ heldSince = '~', cluster }) => `${heldSince} ${cluster}`)
  return (a ?? '') < (b ?? '') ? -1 : 1
}
