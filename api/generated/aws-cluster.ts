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
   * The EC2 key pair for machines without sshKeyName. Empty or left out, these machines have no key for SSH.
   */
  sshKeyName?: string
  /**
   * The image name to look up for machines that name no image. The newest match is used. {{.BaseOS}} is imageLookupBaseOS. {{.K8sVersion}} is the version of the Machine without v. The wildcards ? and * are allowed. Left out, it is capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*.
   */
  imageLookupFormat?: string
  /**
   * The AWS account whose images are looked up (12 digits, or self, amazon, aws-marketplace). Left out, it is 819546954734, the account in which Cluster API publishes images for tests.
   */
  imageLookupOrg?: string
  /**
   * The operating system that {{.BaseOS}} in imageLookupFormat stands for. Left out, it is ubuntu-24.04.
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
 * The address of the API server of the cluster. Cluster API copies it to the Cluster, unless the Cluster has one. Leave it out if the Cluster or an ExternalControlPlane has it.
 */
export interface AWSClusterControlPlaneEndpoint {
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
   * The zone that the subnet is in, such as eu-west-1a. Left out, the provider asks EC2. Zones that are given here appear in status.failureDomains.
   */
  availabilityZone?: string
  /**
   * Whether the subnet has a route to the internet. Left out, it is false if availabilityZone is set. Otherwise it is true if the subnet assigns public addresses automatically.
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
 * Security groups of every node, by purpose. Left out, a machine has only its additionalSecurityGroups. Without those too, EC2 uses the default group of the VPC.
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
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface AWSClusterStatus {
  initialization?: AWSClusterInitialization
  /**
   * The zones of the subnets. Cluster API distributes Machines over them.
   *
   * @maxItems 100
   */
  failureDomains?: AWSClusterFailureDomain[]
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
export interface AWSClusterInitialization {
  /**
   * True once machines can be created. It stays true.
   */
  provisioned?: boolean
}
export interface AWSClusterFailureDomain {
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
