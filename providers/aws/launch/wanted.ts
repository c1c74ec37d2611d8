import type { AWSClusterSpec } from '../../../api/generated/aws-cluster.ts'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import type { FailureDomain, InfraCluster } from '../../../api/machine.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Wanted } from '../../cloud.ts'
import { scopeOfRegion } from '../../shared/account.ts'
import { failureDomainsIn, wantedIn, type WantedOf } from '../../shared/wanted.ts'
import type { Filter } from '../lookups/lookups.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import { boughtAs } from './market.ts'

export type AwsWish = Wanted<AWSMachineSpec, AWSClusterSpec>
export type AwsWanted = WantedOf<AWSMachineSpec, AWSClusterSpec>

export function readWanted(wanted: AwsWish): AwsWanted {
  return wantedIn(scopeOf(wanted.cluster), wanted, boughtAs)
}

export function scopeOf(cluster: InfraCluster<AWSClusterSpec>): Scope {
  return scopeOfRegion('aws', cluster, attemptPatterns)
}

/** The zones that the cluster's subnets are said to be in. */
export function failureDomainsOf({ network }: AWSClusterSpec): FailureDomain[] {
  return failureDomainsIn((network?.subnets ?? []).flatMap(({ availabilityZone }) => availabilityZone ?? []))
}

/** Limits a lookup to the cluster's VPC, where that is known. */
export function inVpc({ cluster }: AwsWanted, filters: readonly Filter[]): Filter[] {
  const id = cluster.network?.vpc?.id
  return [...(id ? [{ name: 'vpc-id', values: [id] }] : []), ...filters]
}
