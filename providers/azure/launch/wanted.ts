import type { Site } from '../../../api/attempt.ts'
import type { AzureClusterSpec } from '../../../api/generated/azure-cluster.ts'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import { annotations } from '../../../api/labels.ts'
import type { FailureDomain, InfraCluster } from '../../../api/machine.ts'
import { pinnedAccount } from '../../shared/account.ts'
import type { Wanted } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import type { Environment } from '../variables.ts'

/** What is wanted, with the specs read as those of Azure. */
export interface AzureWanted {
  /** `namespace/name` */
  readonly machine: string
  /** The Cluster's owner id, where that is known already. */
  readonly owner: string | undefined
  readonly spec: AzureMachineSpec
  readonly cluster: AzureClusterSpec
  readonly scope: Scope
  readonly zone: string | undefined
  /** Of Kubernetes. */
  readonly version: string | undefined
  readonly at: Site | undefined
  readonly exclude: readonly string[]
}

export function readWanted(
  { machine, cluster, failureDomain, version, at, exclude }: Wanted,
  scope: Scope,
): AzureWanted {
  const { namespace, name } = machine.metadata
  return {
    machine: `${namespace}/${name}`,
    owner: cluster.metadata.annotations?.[annotations.ownerId],
    spec: machine.spec as unknown as AzureMachineSpec,
    cluster: clusterSpec(cluster),
    scope,
    zone: at ? at.zone : failureDomain,
    version,
    at,
    exclude: exclude ?? [],
  }
}

function clusterSpec(cluster: InfraCluster): AzureClusterSpec {
  return cluster.spec as unknown as AzureClusterSpec
}

/**
 * Without any subscription every call says what is missing. What is pinned comes before the variable: a manager whose
 * variable was changed goes on with its machines where they are.
 */
export function scopeOf(cluster: InfraCluster, { AZURE_SUBSCRIPTION_ID: usual }: Environment): Scope {
  const { subscriptionID, location, resourceGroup } = clusterSpec(cluster)
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
export function failureDomainsOf(cluster: InfraCluster): FailureDomain[] {
  const zones = Object.keys(clusterSpec(cluster).failureDomains ?? {})
  return zones.toSorted().map((name) => ({ name, controlPlane: false }))
}
