/* Made from crds/AWSMachine.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AWSMachine is one EC2 instance. It is created once, and never restarted or created again. When EC2 reclaims it, the condition Ready turns False with the reason. A new Machine gets a new instance.
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
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  ignition?: {}
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  hostID?: string
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  hostAffinity?: string
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  dynamicHostAllocation?: {}
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  securityGroupOverrides?: {
    [k: string]: string
  }
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  elasticIpPool?: {}
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
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
  /**
   * What else to ask for, in this order, when EC2 refuses what the spec itself asks for. While all of it is refused, the machine waits. Left out, a refused machine fails, and is replaced after a pause.
   *
   * @minItems 1
   * @maxItems 8
   */
  fallback?: AWSMachineFallback[]
  distribution?: AWSMachineDistribution
  ami?: AWSMachineAmi
  /**
   * The image name to look up if ami.id is not set. The newest match is used. {{.BaseOS}} is imageLookupBaseOS. {{.K8sVersion}} is the version of the Machine without v. The wildcards ? and * are allowed. Left out, it is the value of the AWSCluster, else capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*.
   */
  imageLookupFormat?: string
  /**
   * The AWS account whose images are looked up (12 digits, or self, amazon, aws-marketplace). Left out, it is the value of the AWSCluster, else 819546954734, the account in which Cluster API publishes images for tests.
   */
  imageLookupOrg?: string
  /**
   * The operating system that {{.BaseOS}} in imageLookupFormat stands for. Left out, it is the value of the AWSCluster, else ubuntu-24.04.
   */
  imageLookupBaseOS?: string
  /**
   * The purchase option of the instance. Left out, it is Spot if spotMarketOptions is set, else OnDemand. Spot instances cost less, and EC2 can reclaim them with a notice of two minutes. CapacityBlock runs in a capacity block that was bought for a period. EC2 ends the instance 30 minutes before the end of that period.
   */
  marketType?: 'OnDemand' | 'Spot' | 'CapacityBlock'
  spotMarketOptions?: AWSMachineSpotMarketOptions
  /**
   * The capacity reservation or capacity block to launch in, such as cr-0123456789abcdef0. A reservation belongs to one zone: name a subnet there, or set the failure domain of the Machine.
   */
  capacityReservationId?: string
  /**
   * Whether EC2 uses open reservations of the account. With Open, it uses one that fits, else on-demand capacity. With None, it uses no reservation. With CapacityReservationsOnly, it launches only in a reservation. Left out, EC2 acts as with Open.
   */
  capacityReservationPreference?: '' | 'None' | 'CapacityReservationsOnly' | 'Open'
  subnet?: AWSMachineSubnet
  /**
   * Whether the instance gets a public address. If true, the provider uses one of the public subnets. Left out, the subnet decides.
   */
  publicIP?: boolean
  /**
   * With enabled, the network interface gets an IPv6 address of the subnet as its primary IPv6 address. The subnet needs an IPv6 CIDR. Left out, the subnet decides.
   */
  assignPrimaryIPv6?: 'enabled' | 'disabled'
  privateDnsName?: AWSMachinePrivateDnsName
  /**
   * The type of the network interface. efa is the Elastic Fabric Adapter of large GPU and HPC instance types. Left out, EC2 uses interface.
   */
  networkInterfaceType?: 'interface' | 'efa'
  /**
   * Security groups in addition to those that the AWSCluster sets for nodes. EC2 allows 5 on an instance, unless the quota of the account is higher.
   *
   * @maxItems 15
   */
  additionalSecurityGroups?: AWSMachineAdditionalSecurityGroup[]
  /**
   * The name (not the ARN) of the IAM instance profile. The node acts with the role of the profile. Left out, the node has no role.
   */
  iamInstanceProfile?: string
  /**
   * The name of the EC2 key pair for SSH. Left out, it is the value of the AWSCluster. If empty, the instance has no key for SSH.
   */
  sshKeyName?: string
  instanceMetadataOptions?: AWSMachineInstanceMetadataOptions
  rootVolume?: AWSMachineRootVolume
  /**
   * Additional empty disks. They are deleted with the instance.
   *
   * @maxItems 25
   */
  nonRootVolumes?: AWSMachineNonRootVolume[]
  /**
   * If false, the provider compresses the bootstrap data with gzip, which cloud-init unpacks. EC2 accepts at most 16 KB. If true or left out, the data is not compressed.
   */
  uncompressedUserData?: boolean
  cloudInit?: AWSMachineCloudInit
  /**
   * The placement group to launch in.
   */
  placementGroupName?: string
  /**
   * The partition to launch in, if the placement group has partitions.
   */
  placementGroupPartition?: number
  /**
   * The hardware of the instance: shared with other accounts (default), used by this account only (dedicated), or a dedicated host of the account (host).
   */
  tenancy?: 'default' | 'dedicated' | 'host'
  cpuOptions?: AWSMachineCpuOptions
  /**
   * Tags for the instance, its disks, network interfaces and spot request. They override tags of the AWSCluster. The provider adds its own. EC2 allows 50 on a resource: 20 here, 20 on the AWSCluster, 10 for the provider.
   */
  additionalTags?: {
    [k: string]: string
  }
}
export interface AWSMachineFallback {
  /**
   * How to buy the instance. Left out, as the spec itself says. A field for one market, such as spotMarketOptions, holds for the entries of that market.
   */
  capacityType?: 'Spot' | 'OnDemand'
  /**
   * The instance types, in this order. Left out, it is instanceType. They must suit the same image.
   *
   * @minItems 1
   * @maxItems 64
   */
  instanceTypes?: string[]
  /**
   * The zones, such as eu-west-1a. Left out, they are those of the subnet of the machine, or of the subnets of the AWSCluster. Each machine has its own order of zones. A Machine with a failure domain stays in it.
   *
   * @minItems 1
   * @maxItems 16
   */
  zones?: string[]
  /**
   * Ask for this entry not sooner than so long after the machine's first refusal, such as 10m or 1h30m. Left out, it is asked for at once.
   */
  after?: string
}
/**
 * How many of the Machines of a MachineSet are at least on demand, whatever spot has. The others use the spec and its fallback in order. Left out, spot and fallback alone decide.
 */
export interface AWSMachineDistribution {
  /**
   * So many Machines come first on demand. Left out, it is 0.
   */
  onDemandBase?: number
  /**
   * The percentage of the Machines above onDemandBase that are on demand, rounded up. Left out, it is 0.
   */
  onDemandPercentAboveBase?: number
}
/**
 * The image that the instance boots from. Without an id, the three imageLookup fields select it.
 */
export interface AWSMachineAmi {
  /**
   * The image's id in the cluster's region, such as ami-0123456789abcdef0.
   */
  id?: string
  /**
   * Not supported: the provider does not read the AWS parameter store of EKS images. The field exists only so that the API server can refuse it with a remedy.
   */
  eksLookupType?: string
}
/**
 * Buys a spot instance on these terms. If empty ({}), the maximum is the on-demand price.
 */
export interface AWSMachineSpotMarketOptions {
  /**
   * The maximum price in US dollars per hour, in quotes: "0.05". Above it, EC2 launches no instance and reclaims running ones. Left out or empty, the maximum is the on-demand price.
   */
  maxPrice?: string
}
/**
 * The subnet to launch in, which decides the zone. Left out, the provider uses a subnet of the AWSCluster. If the Machine has a failure domain, the subnet is in that zone; otherwise machines are spread over the zones.
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
 * Access to the instance metadata service (IMDS). Each field states its default.
 */
export interface AWSMachineInstanceMetadataOptions {
  /**
   * Whether the service can be reached; enabled if left out. If disabled, cloud-init gets no user data.
   */
  httpEndpoint?: 'enabled' | 'disabled'
  /**
   * Whether the service can be reached by IPv6 too; disabled if left out.
   */
  httpProtocolIpv6?: 'enabled' | 'disabled'
  /**
   * Maximum network hops for metadata requests; 1 if left out. With 1, only pods on the host network can use the role of the node. With 2, all pods can.
   */
  httpPutResponseHopLimit?: number
  /**
   * Whether requests need a session token (IMDSv2); required if left out.
   */
  httpTokens?: 'optional' | 'required'
  /**
   * Whether the instance can read its own tags; only disabled is possible.
   */
  instanceMetadataTags?: 'enabled' | 'disabled'
}
/**
 * The disk that the instance boots from. Left out, the image decides. EC2 deletes it with the instance.
 */
export interface AWSMachineRootVolume {
  /**
   * The root device of the image, such as /dev/sda1 or /dev/xvda. Leave it out to use the device that the image names.
   */
  deviceName?: string
  /**
   * The size in GiB. A root volume must be at least as large as the image.
   */
  size: number
  /**
   * The EBS volume type. Left out, it is the type that the image names.
   */
  type?: 'standard' | 'gp2' | 'gp3' | 'io1' | 'io2'
  /**
   * I/O operations per second, for gp3, io1 and io2.
   */
  iops?: number
  /**
   * Throughput in MiB per second, for gp3.
   */
  throughput?: number
  /**
   * Whether the disk is encrypted. Left out, it is encrypted if encryptionKey is set. Otherwise the image and the account decide.
   */
  encrypted?: boolean
  /**
   * The KMS key (id, alias or ARN) that encrypts the disk. Left out, EC2 uses the default EBS key of the account.
   */
  encryptionKey?: string
}
export interface AWSMachineNonRootVolume {
  /**
   * The device name of the disk, such as /dev/sdb. It must differ from the root device of the image.
   */
  deviceName: string
  /**
   * The size in GiB. A root volume must be at least as large as the image.
   */
  size: number
  /**
   * The EBS volume type. Left out, EC2 uses gp2.
   */
  type?: 'standard' | 'gp2' | 'gp3' | 'io1' | 'io2' | 'st1' | 'sc1'
  /**
   * I/O operations per second, for gp3, io1 and io2.
   */
  iops?: number
  /**
   * Throughput in MiB per second, for gp3.
   */
  throughput?: number
  /**
   * Whether the disk is encrypted. Left out, it is encrypted if encryptionKey is set. Otherwise the image and the account decide.
   */
  encrypted?: boolean
  /**
   * The KMS key (id, alias or ARN) that encrypts the disk. Left out, EC2 uses the default EBS key of the account.
   */
  encryptionKey?: string
}
/**
 * How the bootstrap data reaches the instance. It is always EC2 user data.
 */
export interface AWSMachineCloudInit {
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  secureSecretsBackend?: string
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  secretPrefix?: string
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  secretCount?: number
  /**
   * AWS Secrets Manager is not used, so the only allowed value is true.
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
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface AWSMachineStatus {
  initialization?: AWSMachineInitialization
  /**
   * True if the cloud can reclaim the instance. Cluster API then sets the label cluster.x-k8s.io/interruptible on the Node.
   */
  interruptible?: boolean
  /**
   * The capacity type that the cloud delivered. Until the instance is shown, the one that was requested.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The instance type that the cloud delivered. Until the instance is shown, the one that was requested.
   */
  instanceType?: string
  /**
   * The zone of the instance. Until it is shown, the zone that was requested. Empty without one.
   */
  zone?: string
  /**
   * How many different requests this machine has made. A repeated request counts once.
   */
  tries?: number
  /**
   * The newest 16 requests of this machine with the answers of the cloud, the newest last; tries counts all of them.
   *
   * @maxItems 16
   */
  attempts?: AWSMachineAttempt[]
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
   * The conditions of the object. Ready is Unknown while the machine starts or waits, and True while the instance runs. It is False when the machine has failed or ended for good. Cluster API shows it as the condition InfrastructureReady of the Machine.
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
export interface AWSMachineAttempt {
  /**
   * The capacity type that was requested.
   */
  capacityType: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The instance type that was requested.
   */
  instanceType: string
  /**
   * The zone that was requested. Left out if the request names none.
   */
  zone?: string
  /**
   * Requested until the cloud answers, then Accepted or Refused. A cloud may refuse after it has accepted.
   */
  result: 'Requested' | 'Accepted' | 'Refused'
  /**
   * Why it was refused, as in the condition Ready.
   */
  reason?: string
  /**
   * The code with which the cloud refused it.
   */
  code?: string
  /**
   * When it was refused. If it was not, when it was requested.
   */
  at?: string
}
export interface AWSMachineAddress {
  /**
   * The type of the address: internal or external, IP address, host name or DNS name.
   */
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS'
  /**
   * The address.
   */
  address: string
}
