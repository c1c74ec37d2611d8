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
   * The name of the EC2 key pair that may log in to machines that name none. Empty or left out, none may.
   */
  sshKeyName?: string
  /**
   * The name by which the image of machines that name none is looked up, the newest that fits. {{.BaseOS}} stands for imageLookupBaseOS and {{.K8sVersion}} for the Machine's version without its v; ? and * stand for anything. Left out, it is capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*.
   */
  imageLookupFormat?: string
  /**
   * The AWS account whose images are looked up (12 digits, or self, amazon, aws-marketplace). Left out, it is 819546954734, where Cluster API publishes its own for trying things out.
   */
  imageLookupOrg?: string
  /**
   * What {{.BaseOS}} stands for. Left out, it is ubuntu-24.04.
   */
  imageLookupBaseOS?: string
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
   * Where machines may go that name no subnet themselves. A Machine with a failure domain goes to a subnet of that zone, the others are spread over the zones. Private ones are preferred; when one is full the next is taken.
   *
   * @maxItems 64
   */
  subnets?: AWSClusterSubnet[]
  securityGroupOverrides?: AWSClusterSecurityGroupOverrides
}
/**
 * The VPC of the subnets and security groups. Where it is given, filters find nothing outside of it.
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
  id?: string
  /**
   * Finds subnets by EC2's own filters, all of which have to fit; in network.vpc where that is given.
   *
   * @minItems 1
   * @maxItems 10
   */
  filters?: AWSClusterFilter[]
  /**
   * The zone that the subnet is in, such as eu-west-1a. Left out, EC2 is asked. The zones that are said here stand in status.failureDomains.
   */
  availabilityZone?: string
  /**
   * Whether it has a route to the internet. Left out, it has none where the zone is said; else it has one where instances get a public address by themselves.
   */
  isPublic?: boolean
}
export interface AWSClusterFilter {
  /**
   * The name of the filter as in EC2's API, such as tag:Name.
   */
  name: string
  /**
   * What it lets pass; * and ? stand for anything. Upper and lower case matter.
   *
   * @minItems 1
   * @maxItems 20
   */
  values: string[]
}
/**
 * Security groups of every node, by what they are for. Without any, a machine has its own additionalSecurityGroups only, and without those the VPC's default group.
 */
export interface AWSClusterSecurityGroupOverrides {
  /**
   * That of nodes, such as sg-0123456789abcdef0.
   */
  node?: string
  /**
   * That by which load balancers reach nodes.
   */
  lb?: string
  /**
   * What EKS makes for its nodes.
   */
  'node-eks-additional'?: string
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
