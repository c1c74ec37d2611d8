/* Made from crds/AzureCluster.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AzureCluster names the place for the machines of one Cluster: an existing subscription, resource group and network. It creates nothing in Azure. It cannot be deleted while machines of its Cluster are left there.
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
   * The existing resource group for the machines, their disks and network interfaces. It cannot change.
   */
  resourceGroup: string
  /**
   * The Azure region of all machines of the cluster, such as westeurope. It cannot change.
   */
  location: string
  controlPlaneEndpoint?: AzureClusterControlPlaneEndpoint
  networkSpec: AzureClusterNetworkSpec
  /**
   * The zones in which Cluster API may place Machines: 1, 2 and 3. Azure chooses for a Machine without a zone.
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
   * Tags for everything that is created in Azure for the cluster's machines. The machine's own tags and the provider's are added. Azure allows 50 on a resource: 20 here, 20 on the machine, 10 for the provider.
   */
  additionalTags?: {
    [k: string]: string
  }
}
/**
 * The address of the API server of the cluster. Cluster API copies it to the Cluster, unless the Cluster has one. Leave it out where the Cluster or an ExternalControlPlane has it.
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
   * The subnets for machines that name none. Only subnets for nodes are used; when one is full, the next is used. Network security groups, route tables and NAT gateways come from the subnet.
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
   * The purpose of the subnet; node if left out. Only subnets with the role node, cluster or all are used.
   */
  role?: 'node' | 'control-plane' | 'bastion' | 'cluster' | 'all'
}
/**
 * The observed state, written by the provider. It is built again when the cluster is moved.
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
