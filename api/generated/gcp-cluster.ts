/* Made from crds/GCPCluster.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * GCPCluster names the place for the machines of one Cluster: a project, a region and an existing network. It creates nothing in GCP. It cannot be deleted while instances of its Cluster are left.
 */
export interface GCPCluster {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'GCPCluster'
  metadata: ObjectMeta & { namespace: string }
  spec: GCPClusterSpec
  status?: GCPClusterStatus
}
/**
 * The place. Field names are those of Cluster API Provider GCP.
 */
export interface GCPClusterSpec {
  /**
   * The id of the project of all machines of the cluster. It cannot change.
   */
  project: string
  /**
   * The region of all machines of the cluster, such as europe-west1. It cannot change.
   */
  region: string
  controlPlaneEndpoint?: GCPClusterControlPlaneEndpoint
  network?: GCPClusterNetwork
  /**
   * The zones for machines; all zones of the region if left out. A Machine with a failure domain goes to that zone. Other machines are spread over the zones that offer their type. The zones also appear in status.failureDomains.
   *
   * @minItems 1
   * @maxItems 16
   */
  failureDomains?: string[]
  /**
   * Labels for everything that is created in GCE for the cluster's machines. The machine's own labels and the provider's are added. GCE allows 64: 25 here, 25 on the machine, the rest for the provider.
   */
  additionalLabels?: {
    [k: string]: string
  }
}
/**
 * The address of the API server of the cluster. Cluster API copies it to the Cluster, unless the Cluster has one. Leave it out if the Cluster or an ExternalControlPlane has it.
 */
export interface GCPClusterControlPlaneEndpoint {
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
export interface GCPClusterNetwork {
  /**
   * The name of the VPC network. Left out, it is the network of the subnet, and without a subnet the network default.
   */
  name?: string
  /**
   * The id of the host project of a shared VPC. Left out, the network is in project.
   */
  hostProject?: string
  /**
   * The subnets for machines that name none. The first in the region that is not full is used. Left out, the network must be in auto mode, and the provider uses its subnet of the region.
   *
   * @maxItems 64
   */
  subnets?: GCPClusterSubnet[]
}
export interface GCPClusterSubnet {
  /**
   * The name of the subnet.
   */
  name: string
  /**
   * The region of the subnet. Left out, it is the region of the cluster.
   */
  region?: string
}
/**
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface GCPClusterStatus {
  initialization?: GCPClusterInitialization
  /**
   * The zones of spec.failureDomains. Cluster API distributes Machines over them.
   *
   * @maxItems 100
   */
  failureDomains?: GCPClusterFailureDomain[]
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
export interface GCPClusterInitialization {
  /**
   * True once machines can be created. It stays true.
   */
  provisioned?: boolean
}
export interface GCPClusterFailureDomain {
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
