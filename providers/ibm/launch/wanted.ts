import type { IBMClusterSpec } from '../../../api/generated/ibm-cluster.ts'
import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import type { FailureDomain, InfraCluster } from '../../../api/machine.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Wanted } from '../../cloud.ts'
import { scopeOfRegion } from '../../shared/account.ts'
import { failureDomainsIn, wantedIn, type WantedOf } from '../../shared/wanted.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import { boughtAs } from './market.ts'

export type IbmWish = Wanted<IBMMachineSpec, IBMClusterSpec>
export type IbmWanted = WantedOf<IBMMachineSpec, IBMClusterSpec>

export function readWanted(wanted: IbmWish): IbmWanted {
  const read = wantedIn(scopeOf(wanted.cluster), wanted, boughtAs)
  return { ...read, zone: read.zone ?? read.spec.zone }
}

export function scopeOf(cluster: InfraCluster<IBMClusterSpec>): Scope {
  return scopeOfRegion('ibm', cluster, attemptPatterns)
}

/** The zones that the cluster's subnets are said to be in. */
export function failureDomainsOf({ network }: IBMClusterSpec): FailureDomain[] {
  return failureDomainsIn((network?.workerSubnets ?? []).flatMap(({ zone }) => zone ?? []))
}
