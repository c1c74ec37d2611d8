import { annotations } from '../../api/labels.ts'
import type { Cluster } from '../../api/machine.ts'
import type { ClusterDeps } from './deps.ts'

export function ownerIdOf({ metadata }: Pick<Cluster, 'metadata'>): string | undefined {
  return metadata.annotations?.[annotations.ownerId]
}

/** A Cluster that was made from a copy of another has the other's owner id too: then it proves nothing here. */
export function isShared(
  ownerId: string,
  { namespace, name }: { namespace: string; name: string },
  { clusters }: Pick<ClusterDeps, 'clusters'>,
): boolean {
  const isNamesake = ({ metadata }: Cluster) => metadata.namespace === namespace && metadata.name === name
  return clusters.list().some((other) => ownerIdOf(other) === ownerId && !isNamesake(other))
}
