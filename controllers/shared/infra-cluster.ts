import type { Cluster, InfraCluster } from '../../api/machine.ts'
import type { Resource } from '../../api/meta.ts'
import type { Cache } from '../runtime/cache/cache.ts'

/** The infrastructure clusters of one kind. */
export interface InfraClusters {
  readonly clusterResource: Resource
  readonly infraClusters: Cache<InfraCluster>
}

/**
 * Returns the infrastructure cluster of a Cluster. Undefined if the Cluster refers to another kind or group: other
 * providers have an AWSCluster too, so a name alone may lead to the wrong object.
 */
export function infraClusterOf(
  cluster: Cluster | undefined,
  { clusterResource, infraClusters }: InfraClusters,
): InfraCluster | undefined {
  const ref = cluster?.spec.infrastructureRef
  if (!cluster || !refersToKind(cluster, clusterResource)) return undefined
  return infraClusters.get(`${cluster.metadata.namespace}/${ref?.name}`)
}

/** Whether the Cluster refers to an infrastructure cluster of this kind. */
function refersToKind({ spec }: Cluster, { group, kind }: Resource): boolean {
  return spec.infrastructureRef?.apiGroup === group && spec.infrastructureRef.kind === kind
}

/** The reverse: whether the Cluster refers to this infrastructure cluster. */
export function refersTo(cluster: Cluster, { metadata }: InfraCluster, resource: Resource): boolean {
  const isNamed = cluster.spec.infrastructureRef?.name === metadata.name
  return isNamed && cluster.metadata.namespace === metadata.namespace && refersToKind(cluster, resource)
}
