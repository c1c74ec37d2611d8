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
   * The id of the resource group that new instances belong to, such as 0123456789abcdef0123456789abcdef. Left out, it is the account's default group.
   */
  resourceGroup?: string
  controlPlaneEndpoint?: IBMClusterControlPlaneEndpoint
  network?: IBMClusterNetwork
}
/**
 * The address of the API server of the cluster. Cluster API copies it to the Cluster, unless the Cluster has one. Leave it out where the Cluster or an ExternalControlPlane has it.
 */
export interface IBMClusterControlPlaneEndpoint {
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
export interface IBMClusterNetwork {
  vpc?: IBMClusterVpc
  /**
   * The subnets for machines that name none. A Machine with a failure domain goes to a subnet of that zone; others are spread over the zones. When one is full, the next is used.
   *
   * @maxItems 64
   */
  workerSubnets?: IBMClusterWorkerSubnet[]
  /**
   * Security groups of machines that name none. Without any, such machines get the default group of the VPC.
   *
   * @minItems 1
   * @maxItems 5
   */
  securityGroups?: IBMClusterSecurityGroup[]
}
/**
 * The VPC of the subnets and security groups. If it is set, names are searched only there, and an instance in another VPC never counts as one of the cluster.
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
   * The zone that the subnet is in, such as us-south-1. Left out, IBM Cloud is asked. The zones that are said here stand in status.failureDomains.
   */
  zone?: string
}
export interface IBMClusterSecurityGroup {
  /**
   * Its id, such as r006-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id?: string
  /**
   * Its name.
   */
  name?: string
}
/**
 * The observed state, written by the provider. It is built again when the cluster is moved.
 */
export interface IBMClusterStatus {
  initialization?: IBMClusterInitialization
  /**
   * The zones of the subnets, for Cluster API to place Machines in.
   *
   * @maxItems 100
   */
  failureDomains?: IBMClusterFailureDomain[]
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
export interface IBMClusterInitialization {
  /**
   * True once machines may be made; it stays true.
   */
  provisioned?: boolean
}
export interface IBMClusterFailureDomain {
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
