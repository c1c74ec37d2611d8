import { annotations, core } from '../../api/labels.ts'
import { ownerNamed, type Cluster, type InfraCluster } from '../../api/machine.ts'
import type { ClusterDeps } from './deps.ts'

export function ownerIdOf({ metadata }: Pick<Cluster, 'metadata'>): string | undefined {
  return metadata.annotations?.[annotations.ownerId]
}

/** The name of the Cluster to which the infrastructure belongs, also when that is gone. */
export function clusterNameOf(object: InfraCluster): string | undefined {
  return ownerNamed(object, 'Cluster') ?? object.metadata.labels?.[core.clusterName]
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
