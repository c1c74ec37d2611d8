/* Made from crds/AWSCluster.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSCluster names the place for the machines of one Cluster: a region and an existing network. It creates nothing in AWS. It cannot be deleted while instances of its Cluster are left.
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
   * The EC2 key pair of machines that name none. Empty or left out, nobody can log in with a key.
   */
  sshKeyName?: string
  /**
   * The image name to look up for machines that name no image; the newest match is used. {{.BaseOS}} is imageLookupBaseOS, {{.K8sVersion}} is the Machine's version without v, ? and * are wildcards. Left out, it is capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*.
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
   * Tags for everything that is created in AWS for the cluster's machines. The machine's own tags and the provider's are added. EC2 allows 50 on a resource: 20 here, 20 on the machine, 10 for the provider.
   */
  additionalTags?: {
    [k: string]: string
  }
}
/**
 * The address of the API server of the cluster. Cluster API copies it to the Cluster, unless the Cluster has one. Leave it out where the Cluster or an ExternalControlPlane has it.
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
   * The subnets for machines that name none. A Machine with a failure domain goes to a subnet of that zone; others are spread over the zones. Private subnets come first. When one is full, the next is used.
   *
   * @maxItems 64
   */
  subnets?: AWSClusterSubnet[]
  securityGroupOverrides?: AWSClusterSecurityGroupOverrides
}
/**
 * The VPC of the subnets and security groups. If it is set, filters search only there.
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
   * EC2 filters; a subnet must fit all of them. Only network.vpc is searched, if it is set.
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
   * Whether the subnet has a route to the internet. Left out: no where availabilityZone is set; else yes where instances get a public address automatically.
   */
  isPublic?: boolean
}
export interface AWSClusterFilter {
  /**
   * The name of the filter as in EC2's API, such as tag:Name.
   */
  name: string
  /**
   * Values that match. The wildcards * and ? are allowed, and case matters.
   *
   * @minItems 1
   * @maxItems 20
   */
  values: string[]
}
/**
 * Security groups of every node, by purpose. Without any, a machine has only its additionalSecurityGroups, and without those the default group of the VPC.
 */
export interface AWSClusterSecurityGroupOverrides {
  /**
   * The security group of nodes, such as sg-0123456789abcdef0.
   */
  node?: string
  /**
   * The security group through which load balancers reach nodes.
   */
  lb?: string
  /**
   * The security group that EKS creates for its nodes.
   */
  'node-eks-additional'?: string
}
/**
 * The observed state, written by the provider. It is built again when the cluster is moved.
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
