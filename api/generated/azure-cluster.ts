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
   * The Azure subscription of all machines of the cluster, in lowercase. Left out, it is the subscription of the manager (AZURE_SUBSCRIPTION_ID). It cannot change.
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
       * Whether control plane machines can run in the zone. It is always false: this provider only has workers.
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
 * The address of the API server of the cluster. Cluster API copies it to the Cluster, unless the Cluster has one. Leave it out if the Cluster or an ExternalControlPlane has it.
 */
export interface AzureClusterControlPlaneEndpoint {
  /**
   * The host name or address.
   */
  host: string
  /**
   * The port.
   */
  port: number
}
/**
 * The network that exists already.
 */
export interface AzureClusterNetworkSpec {
  vnet: AzureClusterVnet
  /**
   * The subnets for machines that name none. Only subnets for nodes are used; when one is full, the next is used. The subnet brings its network security group, route table and NAT gateway.
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
   * The name.
   */
  name: string
  /**
   * The resource group of the virtual network. Left out, it is the resource group of the machines.
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
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface AzureClusterStatus {
  initialization?: AzureClusterInitialization
  /**
   * The zones of spec.failureDomains. Cluster API distributes Machines over them.
   *
   * @maxItems 100
   */
  failureDomains?: AzureClusterFailureDomain[]
  /**
   * The conditions of the object. Ready is True when machines can be created. Cluster API shows it as the condition InfrastructureReady of the Cluster. Health checks act only while it is True.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
/**
 * Cluster API waits for this before it creates machines.
 */
export interface AzureClusterInitialization {
  /**
   * True once machines can be created. It stays true.
   */
  provisioned?: boolean
}
export interface AzureClusterFailureDomain {
  /**
   * The name of the zone, for the field failureDomain of a Machine.
   */
  name: string
  /**
   * Whether control plane machines can run in the zone. It is always false: this provider only has workers.
   */
  controlPlane?: boolean
  /**
   * Further properties of the zone.
   */
  attributes?: {
    [k: string]: string
  }
}
