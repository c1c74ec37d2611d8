/* Made from crds/AzureCluster.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AzureCluster says where the machines of one Cluster go: a subscription, a resource group and a network that exist already. Nothing but machines is made in Azure. It cannot be deleted while machines of its Cluster are left there.
 */
export interface AzureCluster {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AzureCluster'
  metadata: ObjectMeta & { namespace: string }
  spec: AzureClusterSpec
  status?: AzureClusterStatus
}
/**
 * The place. Field names are those of Cluster API Provider Azure.
 */
export interface AzureClusterSpec {
  /**
   * The Azure subscription of all machines of the cluster, in small letters. Left out, it is the manager's own (AZURE_SUBSCRIPTION_ID). It cannot change.
   */
  subscriptionID?: string
  /**
   * The resource group that machines, their disks and network interfaces are made in. It exists already; it cannot change.
   */
  resourceGroup: string
  /**
   * The Azure region of all machines of the cluster, such as westeurope. It cannot change.
   */
  location: string
  controlPlaneEndpoint?: AzureClusterControlPlaneEndpoint
  networkSpec: AzureClusterNetworkSpec
  /**
   * The zones that Cluster API may place Machines in, by their names: 1, 2 and 3. A Machine without one goes wherever Azure has room.
   */
  failureDomains?: {
    [k: string]: {
      /**
       * Whether control plane machines may go there. Ours never do.
       */
      controlPlane?: boolean
    }
  }
  /**
   * Tags for all that is made in Azure for the cluster's machines, besides those of the machine and our own. Azure allows 50 on a resource: 20 here, 20 on the machine, 10 for us.
   */
  additionalTags?: {
    [k: string]: string
  }
}
/**
 * Where the API server of the cluster is reached. Cluster API takes it over unless the Cluster names one itself. Best left out where an ExternalControlPlane or the Cluster says it.
 */
export interface AzureClusterControlPlaneEndpoint {
  /**
   * Its host name or address.
   */
  host: string
  /**
   * Its port.
   */
  port: number
}
/**
 * The network that exists already.
 */
export interface AzureClusterNetworkSpec {
  vnet: AzureClusterVnet
  /**
   * Where machines may go that name no subnet themselves, those of role node; when one is full the next is taken. Network security groups, route tables and NAT gateways are theirs.
   *
   * @maxItems 64
   */
  subnets?: AzureClusterSubnet[]
}
/**
 * The virtual network of all subnets.
 */
export interface AzureClusterVnet {
  /**
   * Its name.
   */
  name: string
  /**
   * The resource group that it is in. Left out, it is that of the machines.
   */
  resourceGroup?: string
}
export interface AzureClusterSubnet {
  /**
   * The subnet's name.
   */
  name: string
  /**
   * What it is for; node if left out. Only those of role node, cluster and all are used here.
   */
  role?: 'node' | 'control-plane' | 'bastion' | 'cluster' | 'all'
}
/**
 * What the provider says of it; lost and built anew when the cluster is moved.
 */
export interface AzureClusterStatus {
  initialization?: AzureClusterInitialization
  /**
   * The zones of spec.failureDomains, for Cluster API to place Machines in.
   *
   * @maxItems 100
   */
  failureDomains?: AzureClusterFailureDomain[]
  /**
   * What is so, since when and why. Ready is True when machines may be made; Cluster API shows it as the Cluster's InfrastructureReady, and health checks act only while it is True.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
/**
 * What Cluster API waits for before it makes machines.
 */
export interface AzureClusterInitialization {
  /**
   * True once machines may be made; it stays true.
   */
  provisioned?: boolean
}
export interface AzureClusterFailureDomain {
  /**
   * The zone, as it may stand in a Machine's failureDomain.
   */
  name: string
  /**
   * Whether control plane machines may go there. Ours never do.
   */
  controlPlane?: boolean
  /**
   * What else is known of the zone.
   */
  attributes?: {
    [k: string]: string
  }
}
