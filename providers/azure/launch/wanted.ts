import type { AzureClusterSpec } from '../../../api/generated/azure-cluster.ts'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import type { FailureDomain, InfraCluster } from '../../../api/machine.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Wanted } from '../../cloud.ts'
import { pinnedAccount } from '../../shared/account.ts'
import { failureDomainsIn, wantedIn, type WantedOf } from '../../shared/wanted.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import { boughtAs } from './market.ts'
import type { Environment } from '../variables.ts'

export type AzureWanted = WantedOf<AzureMachineSpec, AzureClusterSpec>

export function readWanted(wanted: Wanted<AzureMachineSpec, AzureClusterSpec>, scope: Scope): AzureWanted {
  const read = wantedIn(scope, wanted, boughtAs)
  return { ...read, zone: read.at ? read.at.zone : read.zone }
}

/**
 * The subscription that is pinned comes before the variable: a manager whose variable was changed finds its machines
 * where they are. Without any subscription every call fails and says what is missing.
 */
export function scopeOf(cluster: InfraCluster<AzureClusterSpec>, { AZURE_SUBSCRIPTION_ID: usual }: Environment): Scope {
  const { subscriptionID, location, resourceGroup } = cluster.spec
  const account = subscriptionID || pinnedAccount(cluster, attemptPatterns) || usual?.toLowerCase()
  return {
    cloud: 'azure',
    identity: 'default',
    ...(account ? { account } : {}),
    region: location,
    within: resourceGroup,
  }
}

/** The zones that the cluster is said to use. */
export function failureDomainsOf({ failureDomains = {} }: AzureClusterSpec): FailureDomain[] {
  return failureDomainsIn(Object.keys(failureDomains))
}
