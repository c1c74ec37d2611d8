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
  ami?: AWSMachineAmi
  /**
   * The name by which an image is looked up where no id is given, the newest that fits. {{.BaseOS}} stands for imageLookupBaseOS and {{.K8sVersion}} for the Machine's version without its v; ? and * stand for anything. Left out, it is the AWSCluster's, else capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*.
   */
  imageLookupFormat?: string
  /**
   * The AWS account whose images are looked up (12 digits, or self, amazon, aws-marketplace). Left out, it is the AWSCluster's, else 819546954734, where Cluster API publishes its own for trying things out.
   */
  imageLookupOrg?: string
  /**
   * What {{.BaseOS}} stands for. Left out, it is the AWSCluster's, else ubuntu-24.04.
   */
  imageLookupBaseOS?: string
  /**
   * How the instance is bought. Left out it is Spot where spotMarketOptions is given, else OnDemand. Spot instances cost less and EC2 may take them back at two minutes' notice. CapacityBlock runs in a block of capacity that was bought for a time; EC2 ends the instance half an hour before the end of it.
   */
  marketType?: 'OnDemand' | 'Spot' | 'CapacityBlock'
  spotMarketOptions?: AWSMachineSpotMarketOptions
  /**
   * The capacity reservation or capacity block to launch in, such as cr-0123456789abcdef0. It is in one zone: name a subnet there, or set the Machine's failure domain.
   */
  capacityReservationId?: string
  /**
   * Whether open reservations of the account are used. Open: where one fits, else on demand, which is also what EC2 does when it is left out. None: never. CapacityReservationsOnly: in a reservation or not at all.
   */
  capacityReservationPreference?: '' | 'None' | 'CapacityReservationsOnly' | 'Open'
  subnet?: AWSMachineSubnet
  /**
   * Whether the instance gets a public address. True takes one of the public subnets. Left out, the subnet decides.
   */
  publicIP?: boolean
  /**
   * The kind of the network interface: efa is the Elastic Fabric Adapter, which large GPU and HPC types have. Left out, EC2 takes interface.
   */
  networkInterfaceType?: 'interface' | 'efa'
  /**
   * Security groups besides the AWSCluster's own for nodes. EC2 allows 5 on an instance unless the account has more.
   *
   * @maxItems 15
   */
  additionalSecurityGroups?: AWSMachineAdditionalSecurityGroup[]
  /**
   * The name (not the ARN) of the IAM instance profile whose role the node acts with. Left out: no role.
   */
  iamInstanceProfile?: string
  /**
   * The name of the EC2 key pair that may log in. Left out, it is the AWSCluster's; empty, none may.
   */
  sshKeyName?: string
  instanceMetadataOptions?: AWSMachineInstanceMetadataOptions
  rootVolume?: AWSMachineRootVolume
  /**
   * Further disks, empty ones. They end with the instance.
   *
   * @maxItems 25
   */
  nonRootVolumes?: AWSMachineNonRootVolume[]
  /**
   * False compresses the bootstrap data (gzip, which cloud-init unpacks): EC2 takes 16 KB at most. True or left out, it goes as it is.
   */
  uncompressedUserData?: boolean
  cloudInit?: AWSMachineCloudInit
  /**
   * The placement group to launch in.
   */
  placementGroupName?: string
  /**
   * The partition of the placement group, where that has partitions.
   */
  placementGroupPartition?: number
  /**
   * Whether the hardware is shared (default), this account's alone (dedicated), or a dedicated host of the account.
   */
  tenancy?: 'default' | 'dedicated' | 'host'
  cpuOptions?: AWSMachineCpuOptions
  /**
   * Tags for the instance, its disks, network interfaces and spot request, besides those of the AWSCluster (over which they win) and our own. EC2 allows 50 on a resource: 20 here, 20 there, 10 for us.
   */
  additionalTags?: {
    [k: string]: string
  }
}
/**
 * The image that the instance boots from. Without an id it is looked up, by the three imageLookup fields.
 */
export interface AWSMachineAmi {
  /**
   * The image's id in the cluster's region, such as ami-0123456789abcdef0.
   */
  id?: string
  /**
   * Not supported: AWS keeps the images of EKS in a parameter store that is not read here. It is known so that it can be refused.
   */
  eksLookupType?: string
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
 * The subnet, and with it the zone, to launch in. Left out, it is one of the AWSCluster's subnets, in the Machine's failure domain where it has one, else spread over the zones.
 */
export interface AWSMachineSubnet {
  /**
   * The subnet's id, such as subnet-0123456789abcdef0.
   */
  id?: string
  /**
   * Finds what it is about by EC2's own filters, all of which have to fit; in the AWSCluster's VPC where it names one.
   *
   * @minItems 1
   * @maxItems 10
   */
  filters?: AWSMachineFilter[]
}
export interface AWSMachineFilter {
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
export interface AWSMachineAdditionalSecurityGroup {
  /**
   * The security group's id, such as sg-0123456789abcdef0.
   */
  id?: string
  /**
   * Finds what it is about by EC2's own filters, all of which have to fit; in the AWSCluster's VPC where it names one.
   *
   * @minItems 1
   * @maxItems 10
   */
  filters?: AWSMachineFilter[]
}
/**
 * How the instance may ask EC2 about itself. Each that is left out is as said below.
 */
export interface AWSMachineInstanceMetadataOptions {
  /**
   * Whether it may ask at all; enabled if left out. Without it cloud-init gets no user data.
   */
  httpEndpoint?: 'enabled' | 'disabled'
  /**
   * Whether it may ask by IPv6 too; disabled if left out.
   */
  httpProtocolIpv6?: 'enabled' | 'disabled'
  /**
   * How many hops away the asking may be; 1 if left out, which keeps pods with a network of their own from acting with the node's role. 2 lets them.
   */
  httpPutResponseHopLimit?: number
  /**
   * Whether a session token is needed (IMDSv2); required if left out.
   */
  httpTokens?: 'optional' | 'required'
  /**
   * Whether it sees its own tags; disabled, and nothing else is possible.
   */
  instanceMetadataTags?: 'enabled' | 'disabled'
}
/**
 * The disk that the instance boots from. Left out, it is as the image says. It ends with the instance.
 */
export interface AWSMachineRootVolume {
  /**
   * The image's root device, such as /dev/sda1 or /dev/xvda. Best left out: the image knows it.
   */
  deviceName?: string
  /**
   * Its size in GiB, at least that of the image where it boots from it.
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
   * Whether the disk is encrypted. Left out, it is where there is an encryptionKey, else as the image and the account say.
   */
  encrypted?: boolean
  /**
   * The KMS key (id, alias or ARN) to encrypt with, instead of the account's own for EBS.
   */
  encryptionKey?: string
}
export interface AWSMachineNonRootVolume {
  /**
   * Where it is attached, such as /dev/sdb. Not the image's root device.
   */
  deviceName: string
  /**
   * Its size in GiB, at least that of the image where it boots from it.
   */
  size: number
  /**
   * The EBS volume type. Left out, EC2 takes gp2.
   */
  type?: 'standard' | 'gp2' | 'gp3' | 'io1' | 'io2' | 'st1' | 'sc1'
  /**
   * Operations a second, for gp3, io1 and io2.
   */
  iops?: number
  /**
   * MiB a second, for gp3.
   */
  throughput?: number
  /**
   * Whether the disk is encrypted. Left out, it is where there is an encryptionKey, else as the image and the account say.
   */
  encrypted?: boolean
  /**
   * The KMS key (id, alias or ARN) to encrypt with, instead of the account's own for EBS.
   */
  encryptionKey?: string
}
/**
 * How the bootstrap data reaches the instance: always as EC2's user data.
 */
export interface AWSMachineCloudInit {
  /**
   * True, or left out: AWS Secrets Manager is not used.
   */
  insecureSkipSecretsManager?: boolean
}
/**
 * Settings of the processor.
 */
export interface AWSMachineCpuOptions {
  /**
   * Whether memory is encrypted by the processor. AmdSevSnp needs a type and an image that can do it.
   */
  confidentialCompute?: 'Disabled' | 'AmdSevSnp'
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
