/* Made from crds/AWSMachine.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSMachine is one EC2 instance, bought once and never restarted or bought again. When EC2 takes it back, the condition Ready turns False and says why; a new Machine brings a new instance.
 */
export interface AWSMachine {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AWSMachine'
  metadata: ObjectMeta & { namespace: string }
  spec: AWSMachineSpec
  status?: AWSMachineStatus
}
/**
 * What is asked of EC2. It is fixed from the creation of the machine on: to change something make a new AWSMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider AWS.
 */
export interface AWSMachineSpec {
  /**
   * Which instance this is: aws:///<zone>/<instance id>, as on its Node. The provider sets it, once; leave it out.
   */
  providerID?: string
  /**
   * The EC2 instance type, such as m5.large.
   */
  instanceType: string
  ami: AWSMachineAmi
  /**
   * How the instance is bought. Left out it is Spot where spotMarketOptions is given, else OnDemand. Spot instances cost less and EC2 may take them back at two minutes' notice.
   */
  marketType?: 'OnDemand' | 'Spot'
  spotMarketOptions?: AWSMachineSpotMarketOptions
  subnet?: AWSMachineSubnet
  /**
   * Security groups besides the AWSCluster's own for nodes.
   *
   * @maxItems 15
   */
  additionalSecurityGroups?: AWSMachineAdditionalSecurityGroup[]
  /**
   * The name (not the ARN) of the IAM instance profile whose role the node acts with. Left out: no role.
   */
  iamInstanceProfile?: string
  /**
   * The name of the EC2 key pair that may log in. Empty or left out, none may.
   */
  sshKeyName?: string
  rootVolume?: AWSMachineRootVolume
  /**
   * Tags for the instance, its disks, network interfaces and spot request, besides those of the AWSCluster (over which they win) and our own. EC2 allows 50 on a resource: 20 here, 20 there, 10 for us.
   */
  additionalTags?: {
    [k: string]: string
  }
}
/**
 * The image that the instance boots from.
 */
export interface AWSMachineAmi {
  /**
   * The image's id in the cluster's region, such as ami-0123456789abcdef0.
   */
  id: string
}
/**
 * Buys a spot instance, on these terms. Empty ({}) is allowed: spot, at no more than the on-demand price.
 */
export interface AWSMachineSpotMarketOptions {
  /**
   * The most to pay, in US dollars an hour, in quotes: "0.05". Above it EC2 launches nothing and takes running instances back. Best left out: the limit then is the on-demand price.
   */
  maxPrice?: string
}
/**
 * The subnet, and with it the zone, to launch in. Left out, it is one of the AWSCluster's subnets, in the Machine's failure domain where it has one.
 */
export interface AWSMachineSubnet {
  /**
   * The subnet's id, such as subnet-0123456789abcdef0.
   */
  id: string
}
export interface AWSMachineAdditionalSecurityGroup {
  /**
   * The security group's id, such as sg-0123456789abcdef0.
   */
  id: string
}
/**
 * The disk that the instance boots from. Left out, it is as the image says. It ends with the instance.
 */
export interface AWSMachineRootVolume {
  /**
   * The image's root device, such as /dev/sda1 or /dev/xvda.
   */
  deviceName?: string
  /**
   * Its size in GiB, at least that of the image.
   */
  size: number
  /**
   * The EBS volume type. Left out, EC2 takes gp2.
   */
  type?: 'standard' | 'gp2' | 'gp3' | 'io1' | 'io2'
  /**
   * Operations a second, for gp3, io1 and io2.
   */
  iops?: number
  /**
   * MiB a second, for gp3.
   */
  throughput?: number
  /**
   * Whether the disk is encrypted. Left out, it is as the image and the account say.
   */
  encrypted?: boolean
  /**
   * The KMS key (id, alias or ARN) to encrypt with, instead of the account's own for EBS.
   */
  encryptionKey?: string
}
/**
 * What became of it. Written by the provider; lost and built anew when the cluster is moved.
 */
export interface AWSMachineStatus {
  initialization?: AWSMachineInitialization
  /**
   * True where what was bought may be taken back. Cluster API then labels the Node cluster.x-k8s.io/interruptible.
   */
  interruptible?: boolean
  /**
   * What was bought in the end.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * EC2's id of the instance.
   */
  instanceID?: string
  /**
   * What the instance does, as last seen.
   */
  instanceState?: 'pending' | 'running' | 'stopping' | 'stopped' | 'terminating' | 'terminated'
  /**
   * The zone that the instance is in.
   */
  failureDomain?: string
  /**
   * The addresses and names of the instance.
   *
   * @maxItems 256
   */
  addresses?: AWSMachineAddress[]
  /**
   * What is so, since when and why. Ready is Unknown while the machine comes up or waits, True while the instance runs, False when it will never serve (again); Cluster API shows it as the Machine's InfrastructureReady.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
/**
 * What Cluster API waits for while the machine comes up.
 */
export interface AWSMachineInitialization {
  /**
   * True once EC2 has started the instance; it stays true.
   */
  provisioned?: boolean
}
export interface AWSMachineAddress {
  /**
   * What kind of address it is, and from where it can be reached.
   */
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS'
  /**
   * The address itself.
   */
  address: string
}
