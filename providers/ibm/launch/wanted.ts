import type { Site } from '../../../api/attempt.ts'
import type { IBMClusterSpec } from '../../../api/generated/ibm-cluster.ts'
import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import { annotations } from '../../../api/labels.ts'
import type { FailureDomain, InfraCluster } from '../../../api/machine.ts'
import { pinnedAccount } from '../../shared/account.ts'
import type { Wanted } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'

/** What is wanted, with the specs read as those of IBM. */
export interface IbmWanted {
  /** `namespace/name` */
  readonly machine: string
  /** The owner id, as far as the infrastructure cluster has its copy. */
  readonly owner: string | undefined
  readonly spec: IBMMachineSpec
  readonly cluster: IBMClusterSpec
  readonly scope: Scope
  readonly zone: string | undefined
  readonly at: Site | undefined
  readonly exclude: readonly string[]
}

export function readWanted({ machine, cluster, failureDomain, at, exclude }: Wanted): IbmWanted {
  const spec = machine.spec as unknown as IBMMachineSpec
  return {
    machine: `${machine.metadata.namespace}/${machine.metadata.name}`,
    owner: cluster.metadata.annotations?.[annotations.ownerId],
    spec,
    cluster: clusterSpec(cluster),
    scope: scopeOf(cluster),
    zone: failureDomain ?? spec.zone,
    at,
    exclude: exclude ?? [],
  }
}

export function clusterSpec(cluster: InfraCluster): IBMClusterSpec {
  return cluster.spec as unknown as IBMClusterSpec
}

export function scopeOf(cluster: InfraCluster): Scope {
  const account = pinnedAccount(cluster, attemptPatterns)
  return {
    cloud: 'ibm',
    identity: 'default',
    ...(account === undefined ? {} : { account }),
    region: clusterSpec(cluster).region,
  }
}

/** The zones that the cluster's subnets are said to be in. */
export function failureDomainsOf({ network }: IBMClusterSpec): FailureDomain[] {
  const zones = (network?.workerSubnets ?? []).flatMap(({ zone }) => zone ?? [])
  return [...new Set(zones)].toSorted().map((name) => ({ name, controlPlane: false }))
}
