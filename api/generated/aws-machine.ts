/* Made from crds/AWSMachine.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSMachine is one EC2 instance. It is created once, and never restarted or created again. When EC2 takes it back, the condition Ready turns False with the reason. A new Machine gets a new instance.
 */
export interface AWSMachine {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AWSMachine'
  metadata: ObjectMeta & { namespace: string }
  spec: AWSMachineSpec
  status?: AWSMachineStatus
}
/**
 * What to create in EC2. It cannot change: create a new AWSMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider AWS.
 */
export interface AWSMachineSpec {
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  ignition?: {}
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  hostID?: string
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  hostAffinity?: string
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  dynamicHostAllocation?: {}
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  securityGroupOverrides?: {
    [k: string]: string
  }
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  elasticIpPool?: {}
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   *
   * @maxItems 64
   */
  networkInterfaces?: {}[]
  /**
   * The id of the instance, aws:///<zone>/<instance id>, equal to that of its Node. The provider sets it once; leave it out.
   */
  providerID?: string
  /**
   * The EC2 instance type, such as m5.large.
   */
  instanceType: string
  ami?: AWSMachineAmi
  /**
   * The image name to look up where ami.id is not set; the newest match is used. {{.BaseOS}} is imageLookupBaseOS, {{.K8sVersion}} is the Machine's version without v, ? and * are wildcards. Left out, it is the AWSCluster's, else capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*.
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
   * With enabled, the network interface gets an IPv6 address of the subnet, which stays its first one. The subnet needs an IPv6 CIDR. Left out, the subnet decides.
   */
  assignPrimaryIPv6?: 'enabled' | 'disabled'
  privateDnsName?: AWSMachinePrivateDnsName
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
   * The highest price to pay, in US dollars an hour, in quotes: "0.05". Above it EC2 launches nothing and takes running instances back. Left out or empty, the limit is the on-demand price.
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
   * EC2 filters; a match must fit all of them. Only the AWSCluster's VPC is searched, if it names one.
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
   * Values that match. The wildcards * and ? are allowed, and case matters.
   *
   * @minItems 1
   * @maxItems 20
   */
  values: string[]
}
/**
 * The private DNS name of the instance. Left out, the subnet decides.
 */
export interface AWSMachinePrivateDnsName {
  /**
   * Whether the host name is made from the IPv4 address or from the instance id.
   */
  hostnameType?: 'ip-name' | 'resource-name'
  /**
   * Whether the name made from the instance id has a DNS A record. False if left out.
   */
  enableResourceNameDnsARecord?: boolean
  /**
   * Whether the name made from the instance id has a DNS AAAA record. False if left out.
   */
  enableResourceNameDnsAAAARecord?: boolean
}
export interface AWSMachineAdditionalSecurityGroup {
  /**
   * The security group's id, such as sg-0123456789abcdef0.
   */
  id?: string
  /**
   * EC2 filters; a match must fit all of them. Only the AWSCluster's VPC is searched, if it names one.
   *
   * @minItems 1
   * @maxItems 10
   */
  filters?: AWSMachineFilter[]
}
/**
 * Access to the instance metadata service (IMDS). Each field has the default that it names.
 */
export interface AWSMachineInstanceMetadataOptions {
  /**
   * Whether the service can be reached; enabled if left out. Without it cloud-init gets no user data.
   */
  httpEndpoint?: 'enabled' | 'disabled'
  /**
   * Whether the service can be reached by IPv6 too; disabled if left out.
   */
  httpProtocolIpv6?: 'enabled' | 'disabled'
  /**
   * Maximum network hops for metadata requests; 1 if left out. With 1, pods that have a network of their own cannot use the node's role. With 2 they can.
   */
  httpPutResponseHopLimit?: number
  /**
   * Whether a session token is needed (IMDSv2); required if left out.
   */
  httpTokens?: 'optional' | 'required'
  /**
   * Whether the instance can read its own tags; only disabled is possible.
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
   * The EBS volume type. Left out, it is the type that the image says.
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
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  secureSecretsBackend?: string
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  secretPrefix?: string
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  secretCount?: number
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
   * Whether the processor encrypts the memory. AMDEncryptedVirtualizationNestedPaging is AMD SEV-SNP; the instance type, the region and the image must support it.
   */
  confidentialCompute?: 'Disabled' | 'AMDEncryptedVirtualizationNestedPaging'
}
/**
 * The observed state, written by the provider. It is built again when the cluster is moved.
 */
export interface AWSMachineStatus {
  initialization?: AWSMachineInitialization
  /**
   * True where what was bought may be taken back. Cluster API then labels the Node cluster.x-k8s.io/interruptible.
   */
  interruptible?: boolean
  /**
   * What was really bought.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * EC2's id of the instance.
   */
  instanceID?: string
  /**
   * The state of the instance in the last list of the cloud.
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
 * Cluster API waits for this while the machine starts.
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
