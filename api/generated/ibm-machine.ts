/* Made from crds/IBMMachine.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * IBMMachine is one virtual server instance in IBM Cloud VPC. It is created once, and never started or created again. When IBM reclaims it, the condition Ready turns False with the reason. A new Machine gets a new instance.
 */
export interface IBMMachine {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'IBMMachine'
  metadata: ObjectMeta & { namespace: string }
  spec: IBMMachineSpec
  status?: IBMMachineStatus
}
/**
 * What to create in IBM Cloud VPC. It cannot change: create a new IBMMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider IBM Cloud.
 */
export interface IBMMachineSpec {
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   *
   * @maxItems 64
   */
  loadBalancerPoolMembers?: {}[]
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   *
   * @maxItems 64
   */
  additionalVolumes?: {}[]
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  catalogOffering?: {}
  /**
   * The id of the instance, ibm://<account>///<cluster>/<instance id>, equal to the providerID of its Node. The provider sets it once; leave it out.
   */
  providerID?: string
  /**
   * The zone of the instance, such as us-south-1. Prefer the field failureDomain of the Machine, which means the same. If both are set, they must be equal. Left out, the subnet decides.
   */
  zone?: string
  /**
   * The instance profile, such as bxf-2x8. Only flex and GPU profiles support spot. The property availability_class of a profile lists the classes that it supports.
   */
  profile: string
  /**
   * What else to ask for, in this order, when IBM refuses what the spec itself asks for. While all of it is refused, the machine waits. Left out, a refused machine fails, and is replaced after a pause.
   *
   * @minItems 1
   * @maxItems 8
   */
  fallback?: IBMMachineFallback[]
  distribution?: IBMMachineDistribution
  image: IBMMachineImage
  availability?: IBMMachineAvailability
  availabilityPolicy?: IBMMachineAvailabilityPolicy
  reservationAffinity?: IBMMachineReservationAffinity
  primaryNetworkInterface?: IBMMachinePrimaryNetworkInterface
  /**
   * The SSH keys for logins. Left out, nobody can log in.
   *
   * @minItems 1
   * @maxItems 10
   */
  sshKeys?: IBMMachineSshKey[]
  bootVolume?: IBMMachineBootVolume
  placementTarget?: IBMMachinePlacementTarget
  metadataService?: IBMMachineMetadataService
}
export interface IBMMachineFallback {
  /**
   * How to buy the instance. Left out, as the spec itself says. A field for one market, such as reservationAffinity, holds for the entries of that market.
   */
  capacityType?: 'Spot' | 'OnDemand'
  /**
   * The profiles, in this order. Left out, it is profile. They must suit the same image.
   *
   * @minItems 1
   * @maxItems 64
   */
  profiles?: string[]
  /**
   * The zones, such as us-south-1. Left out, they are those of the subnet of the machine, or of the subnets of the IBMCluster. Each machine has its own order of zones. A Machine with a failure domain stays in it.
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
export interface IBMMachineDistribution {
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
 * The image that the instance boots from.
 */
export interface IBMMachineImage {
  /**
   * The image's id in the cluster's region, such as r006-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id?: string
  /**
   * The name of the image. Images of the account come before public images. Among several, the provider uses the newest one that is available in the zone.
   */
  name?: string
}
/**
 * The purchase option of the instance.
 */
export interface IBMMachineAvailability {
  /**
   * With spot, IBM can reclaim the instance at any time. With standard, it cannot. Left out, the default of the profile applies, which is standard for nearly all profiles.
   */
  class?: 'spot' | 'standard'
}
/**
 * What IBM does with the instance when it reclaims it or when the host fails.
 */
export interface IBMMachineAvailabilityPolicy {
  /**
   * What IBM does with a spot instance that it reclaims; stop if left out. With stop, the instance stays stopped until its Machine is deleted, and shows the cause. With delete, it disappears, and the cause is unknown.
   */
  preemption?: 'stop' | 'delete'
  /**
   * What IBM does with the instance when its host fails. Left out, IBM restarts it on another host.
   */
  hostFailure?: 'restart' | 'stop'
}
/**
 * Whether the instance uses a capacity reservation of the account. Left out, the policy is disabled.
 */
export interface IBMMachineReservationAffinity {
  /**
   * With manual, the instance uses the reservation in pool. With automatic, it uses any reservation that fits. With disabled, it uses none.
   */
  policy: 'disabled' | 'manual' | 'automatic'
  /**
   * The reservation to use, with policy manual.
   *
   * @maxItems 1
   */
  pool?: IBMMachinePool[]
}
export interface IBMMachinePool {
  /**
   * The reservation's id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
}
/**
 * The network interface of the instance. Left out, the provider uses the workerSubnets and security groups of the IBMCluster.
 */
export interface IBMMachinePrimaryNetworkInterface {
  /**
   * The subnet's id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd; it decides the zone. Left out, the provider uses a subnet of the IBMCluster, in the failure domain of the Machine if it has one.
   */
  subnet?: string
  /**
   * The security groups of the machine, instead of those of the IBMCluster. If neither names any, IBM uses the default group of the VPC.
   *
   * @minItems 1
   * @maxItems 5
   */
  securityGroups?: IBMMachineSecurityGroup[]
}
export interface IBMMachineSecurityGroup {
  /**
   * The id, such as r006-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id?: string
  /**
   * The name.
   */
  name?: string
}
export interface IBMMachineSshKey {
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
 * The disk that the instance boots from. Left out, the image decides. EC2 deletes it with the instance.
 */
export interface IBMMachineBootVolume {
  /**
   * The size in GiB, at least the size of the image. Left out, it is the size of the image. More than 250 needs profile sdp.
   */
  sizeGiB?: number
  /**
   * The volume profile. Left out, it is general-purpose.
   */
  profile?: 'general-purpose' | '5iops-tier' | '10iops-tier' | 'custom' | 'sdp'
  /**
   * I/O operations per second, with profile custom or sdp.
   */
  iops?: number
  /**
   * The CRN of the root key (Key Protect or Hyper Protect Crypto Services) that encrypts the disk. Left out, IBM uses its own key.
   */
  encryptionKeyCRN?: string
  /**
   * The only allowed value is true, because the disk is always deleted with the instance.
   */
  deleteVolumeOnInstanceDelete?: boolean
}
/**
 * The place of the instance within the zone.
 */
export interface IBMMachinePlacementTarget {
  dedicatedHost?: IBMMachineDedicatedHost
  dedicatedHostGroup?: IBMMachineDedicatedHostGroup
  placementGroup?: IBMMachinePlacementGroup
}
/**
 * A dedicated host of the account. It excludes spot.
 */
export interface IBMMachineDedicatedHost {
  /**
   * The id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
}
/**
 * A group of dedicated hosts. It excludes spot.
 */
export interface IBMMachineDedicatedHostGroup {
  /**
   * The id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
}
/**
 * A placement group, which keeps its instances on different hosts. With spot, capacity is then less likely to be available.
 */
export interface IBMMachinePlacementGroup {
  /**
   * The id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
}
/**
 * Access to the instance metadata service. Each field states its default.
 */
export interface IBMMachineMetadataService {
  /**
   * Whether the service can be reached; false if left out.
   */
  enabled?: boolean
  /**
   * The protocol of the service; http if left out.
   */
  protocol?: 'http' | 'https'
  /**
   * Maximum network hops for metadata responses; 1 if left out. With 1, only pods on the host network can use the identity of the node. With 2, all pods can.
   */
  responseHopLimit?: number
}
/**
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface IBMMachineStatus {
  initialization?: IBMMachineInitialization
  /**
   * True if the cloud can reclaim the instance. Cluster API then sets the label cluster.x-k8s.io/interruptible on the Node.
   */
  interruptible?: boolean
  /**
   * The capacity type that the cloud delivered. Until the instance is shown, the one that was requested.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The profile that the cloud delivered. Until the instance is shown, the one that was requested.
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
  attempts?: IBMMachineAttempt[]
  /**
   * IBM Cloud's id of the instance.
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
  addresses?: IBMMachineAddress[]
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
export interface IBMMachineInitialization {
  /**
   * True once IBM Cloud has started the instance; it stays true.
   */
  provisioned?: boolean
}
export interface IBMMachineAttempt {
  /**
   * The capacity type that was requested.
   */
  capacityType: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The profile that was requested.
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
export interface IBMMachineAddress {
  /**
   * The type of the address: internal or external, IP address, host name or DNS name.
   */
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS'
  /**
   * The address.
   */
  address: string
}
