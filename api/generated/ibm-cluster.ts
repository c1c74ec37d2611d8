/* Made from crds/IBMCluster.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * IBMCluster names the place for the machines of one Cluster: a region and an existing network. It creates nothing in IBM Cloud. It cannot be deleted while instances of its Cluster are left.
 */
export interface IBMCluster {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'IBMCluster'
  metadata: ObjectMeta & { namespace: string }
  spec: IBMClusterSpec
  status?: IBMClusterStatus
}
/**
 * The place. Field names are those of Cluster API Provider IBM Cloud.
 */
export interface IBMClusterSpec {
  /**
   * The IBM Cloud region of all machines of the cluster, such as us-south. It cannot change.
   */
  region: string
  /**
   * The id of the resource group that new instances belong to, such as 0123456789abcdef0123456789abcdef. Left out, it is the default group of the account.
   */
  resourceGroup?: string
  controlPlaneEndpoint?: IBMClusterControlPlaneEndpoint
  network?: IBMClusterNetwork
}
/**
 * The address of the API server of the cluster. Cluster API copies it to the Cluster, unless the Cluster has one. Leave it out if the Cluster or an ExternalControlPlane has it.
 */
export interface IBMClusterControlPlaneEndpoint {
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
export interface IBMClusterNetwork {
  vpc?: IBMClusterVpc
  /**
   * The subnets for machines that name none. A Machine with a failure domain goes to a subnet of that zone; others are spread over the zones. When one is full, the next is used.
   *
   * @maxItems 64
   */
  workerSubnets?: IBMClusterWorkerSubnet[]
  /**
   * Security groups for machines that name none. Left out, such machines get the default group of the VPC.
   *
   * @minItems 1
   * @maxItems 5
   */
  securityGroups?: IBMClusterSecurityGroup[]
}
/**
 * The VPC of the subnets and security groups. If it is set, the provider searches names only there. An instance in another VPC never belongs to the cluster.
 */
export interface IBMClusterVpc {
  /**
   * The VPC's id, such as r006-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
}
export interface IBMClusterWorkerSubnet {
  /**
   * The subnet's id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
  /**
   * The zone that the subnet is in, such as us-south-1. Left out, the provider asks IBM Cloud. Zones that are given here appear in status.failureDomains.
   */
  zone?: string
}
export interface IBMClusterSecurityGroup {
  /**
   * The id, such as r006-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id?: string
  /**
   * The name.
   */
  name?: string
}
/**
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface IBMClusterStatus {
  initialization?: IBMClusterInitialization
  /**
   * The zones of the subnets. Cluster API distributes Machines over them.
   *
   * @maxItems 100
   */
  failureDomains?: IBMClusterFailureDomain[]
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
export interface IBMClusterInitialization {
  /**
   * True once machines can be created. It stays true.
   */
  provisioned?: boolean
}
export interface IBMClusterFailureDomain {
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
