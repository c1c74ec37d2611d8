import type { Site } from '../../../api/attempt.ts'
import type { AWSClusterSpec } from '../../../api/generated/aws-cluster.ts'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import type { InfraCluster } from '../../../api/machine.ts'
import { pinnedAccount } from '../../shared/account.ts'
import type { Wanted } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import type { Filter } from '../lookups/lookups.ts'

/** What is wanted, with the specs read as those of AWS. */
export interface AwsWanted {
  /** `namespace/name` */
  readonly machine: string
  readonly spec: AWSMachineSpec
  readonly cluster: AWSClusterSpec
  readonly scope: Scope
  readonly zone: string | undefined
  /** Of Kubernetes. */
  readonly version: string | undefined
  readonly at: Site | undefined
  readonly exclude: readonly string[]
}

export function readWanted({ machine, cluster, failureDomain, version, at, exclude }: Wanted): AwsWanted {
  return {
    machine: `${machine.metadata.namespace}/${machine.metadata.name}`,
    spec: machine.spec as unknown as AWSMachineSpec,
    cluster: clusterSpec(cluster),
    scope: scopeOf(cluster),
    zone: failureDomain,
    version,
    at,
    exclude: exclude ?? [],
  }
}

export function clusterSpec(cluster: InfraCluster): AWSClusterSpec {
  return cluster.spec as unknown as AWSClusterSpec
}

export function scopeOf(cluster: InfraCluster): Scope {
  const account = pinnedAccount(cluster, attemptPatterns)
  return {
    cloud: 'aws',
    identity: 'default',
    ...(account === undefined ? {} : { account }),
    region: clusterSpec(cluster).region,
  }
}

/** Nothing outside of the cluster's VPC is found, where that is known. */
export function inVpc({ cluster }: AwsWanted, filters: readonly Filter[]): Filter[] {
  const id = cluster.network?.vpc?.id
  return [...(id ? [{ name: 'vpc-id', values: [id] }] : []), ...filters]
}
