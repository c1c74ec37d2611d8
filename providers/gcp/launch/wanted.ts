import type { GCPClusterSpec } from '../../../api/generated/gcp-cluster.ts'
import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import type { FailureDomain, InfraCluster } from '../../../api/machine.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Wanted } from '../../cloud.ts'
import { failureDomainsIn, wantedIn, type WantedOf } from '../../shared/wanted.ts'
import { boughtAs } from './market.ts'

export type GcpWish = Wanted<GCPMachineSpec, GCPClusterSpec>
export type GcpWanted = WantedOf<GCPMachineSpec, GCPClusterSpec>

export function readWanted(wanted: GcpWish): GcpWanted {
  return wantedIn(scopeOf(wanted.cluster), wanted, boughtAs)
}

export function scopeOf({ spec: { project, region } }: InfraCluster<GCPClusterSpec>): Scope {
  return { cloud: 'gcp', identity: 'default', account: project, region }
}

/** The zones of the cluster's spec; none where it takes all of the region. */
export function failureDomainsOf({ failureDomains = [] }: GCPClusterSpec): FailureDomain[] {
  return failureDomainsIn(failureDomains)
}
