import type { Site } from '../../../api/attempt.ts'
import type { GCPClusterSpec } from '../../../api/generated/gcp-cluster.ts'
import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import { annotations } from '../../../api/labels.ts'
import type { FailureDomain, InfraCluster } from '../../../api/machine.ts'
import type { Wanted } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'

/** What is wanted, with the specs read as those of GCP. */
export interface GcpWanted {
  /** `namespace/name` */
  readonly machine: string
  /** Undefined until the cluster has its owner id. */
  readonly owner: string | undefined
  readonly spec: GCPMachineSpec
  readonly cluster: GCPClusterSpec
  readonly scope: Scope
  readonly zone: string | undefined
  /** Of Kubernetes. */
  readonly version: string | undefined
  readonly at: Site | undefined
  readonly exclude: readonly string[]
}

export function readWanted({ machine, cluster, failureDomain, version, at, exclude }: Wanted): GcpWanted {
  return {
    machine: `${machine.metadata.namespace}/${machine.metadata.name}`,
    owner: cluster.metadata.annotations?.[annotations.ownerId],
    spec: machine.spec as unknown as GCPMachineSpec,
    cluster: clusterSpec(cluster),
    scope: scopeOf(cluster),
    zone: failureDomain,
    version,
    at,
    exclude: exclude ?? [],
  }
}

export function clusterSpec(cluster: InfraCluster): GCPClusterSpec {
  return cluster.spec as unknown as GCPClusterSpec
}

export function scopeOf(cluster: InfraCluster): Scope {
  const { project, region } = clusterSpec(cluster)
  return { cloud: 'gcp', identity: 'default', account: project, region }
}

/** The zones that the cluster keeps to; none where it takes what the region has. */
export function failureDomainsOf({ failureDomains = [] }: GCPClusterSpec): FailureDomain[] {
  return [...new Set(failureDomains)].toSorted().map((name) => ({ name, controlPlane: false }))
}
