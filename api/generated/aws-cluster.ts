/* Made from crds/AWSCluster.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSCluster says where the machines of one Cluster go: a region and a network that exist already. It creates nothing in AWS. It cannot be deleted while instances of its Cluster are left.
 */
export interface AWSCluster {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AWSCluster'
  metadata: ObjectMeta & { namespace: string }
  spec: AWSClusterSpec
  status?: AWSClusterStatus
}
/**
 * The place. Field names are those of Cluster API Provider AWS.
 */
export interface AWSClusterSpec {
  /**
   * The AWS region of all machines of the cluster, such as eu-west-1. It cannot change.
   */
  region: string
  controlPlaneEndpoint?: AWSClusterControlPlaneEndpoint
  network?: AWSClusterNetwork
  /**
   * Tags for all that is made in AWS for the cluster's machines, besides those of the machine and our own. EC2 allows 50 on a resource: 20 here, 20 on the machine, 10 for us.
   */
  additionalTags?: {
    [k: string]: string
  }
}
/**
 * Where the API server of the cluster is reached. Cluster API takes it over unless the Cluster names one itself. Best left out where an ExternalControlPlane or the Cluster says it.
 */
export interface AWSClusterControlPlaneEndpoint {
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
export interface AWSClusterNetwork {
  vpc?: AWSClusterVpc
  /**
   * Where machines may go that name no subnet themselves. A Machine with a failure domain goes to a subnet of that zone. Private ones are preferred.
   *
   * @maxItems 64
   */
  subnets?: AWSClusterSubnet[]
  securityGroupOverrides?: AWSClusterSecurityGroupOverrides
}
/**
 * The VPC of the subnets and security groups, for people to see.
 */
export interface AWSClusterVpc {
  /**
   * The VPC's id, such as vpc-0123456789abcdef0.
   */
  id: string
}
export interface AWSClusterSubnet {
  /**
   * The subnet's id, such as subnet-0123456789abcdef0.
   */
  id: string
  /**
   * The zone that the subnet is in, such as eu-west-1a.
   */
  availabilityZone: string
  /**
   * Whether it has a route to the internet. Left out, it has none.
   */
  isPublic?: boolean
}
/**
 * Security groups by what the machine is.
 */
export interface AWSClusterSecurityGroupOverrides {
  /**
   * The security group of every node, such as sg-0123456789abcdef0. Left out, a machine has its own additionalSecurityGroups only, and without those the VPC's default group.
   */
  node?: string
}
/**
 * What the provider says of it; lost and built anew when the cluster is moved.
 */
export interface AWSClusterStatus {
  initialization?: AWSClusterInitialization
  /**
   * The zones of the subnets, for Cluster API to place Machines in.
   *
   * @maxItems 100
   */
  failureDomains?: AWSClusterFailureDomain[]
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
export interface AWSClusterInitialization {
  /**
   * True once machines may be made; it stays true.
   */
  provisioned?: boolean
}
export interface AWSClusterFailureDomain {
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
