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
   * The zones that machines may go to; a Machine with a failure domain goes there, the others are spread over those that offer their type. They stand in status.failureDomains. Left out, machines are spread over all of the region.
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
 * The address of the API server of the cluster. Cluster API copies it to the Cluster, unless the Cluster has one. Leave it out where the Cluster or an ExternalControlPlane has it.
 */
export interface GCPClusterControlPlaneEndpoint {
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
   * The subnets for machines that name none. The first in the region that is not full is used. Left out, it is the subnet that an auto mode network has in the region.
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
   * The region that it is in. Left out, it is the cluster's.
   */
  region?: string
}
/**
 * The observed state, written by the provider. It is built again when the cluster is moved.
 */
export interface GCPClusterStatus {
  initialization?: GCPClusterInitialization
  /**
   * The zones of spec.failureDomains, for Cluster API to place Machines in.
   *
   * @maxItems 100
   */
  failureDomains?: GCPClusterFailureDomain[]
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
export interface GCPClusterInitialization {
  /**
   * True once machines may be made; it stays true.
   */
  provisioned?: boolean
}
export interface GCPClusterFailureDomain {
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
