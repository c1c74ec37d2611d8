/* Made from crds/IBMMachine.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * IBMMachine is one virtual server instance in IBM Cloud VPC. It is created once, and never started or created again. When IBM takes it back, the condition Ready turns False and says why; a new Machine brings a new instance.
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
   * Not supported. The field is known only so that it can be refused with a remedy.
   *
   * @maxItems 64
   */
  loadBalancerPoolMembers?: {}[]
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   *
   * @maxItems 64
   */
  additionalVolumes?: {}[]
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  catalogOffering?: {}
  /**
   * Which instance this is: ibm://<account>///<cluster>/<instance id>, as on its Node. The provider sets it, once; leave it out.
   */
  providerID?: string
  /**
   * The zone of the instance, such as us-south-1. It means the same as the failureDomain of the Machine, which is the better place; if both are set they must be equal. Left out, the subnet decides.
   */
  zone?: string
  /**
   * The instance profile, such as bxf-2x8. Of IBM's own only the flex and GPU profiles can be spot; which can, the profile itself says.
   */
  profile: string
  image: IBMMachineImage
  availability?: IBMMachineAvailability
  availabilityPolicy?: IBMMachineAvailabilityPolicy
  reservationAffinity?: IBMMachineReservationAffinity
  primaryNetworkInterface?: IBMMachinePrimaryNetworkInterface
  /**
   * The keys that may log in. Left out, none may.
   *
   * @minItems 1
   * @maxItems 10
   */
  sshKeys?: IBMMachineSshKey[]
  bootVolume?: IBMMachineBootVolume
  placementTarget?: IBMMachinePlacementTarget
  metadataService?: IBMMachineMetadataService
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
   * The image's name. Where a public image has it too, the account's own is taken; of several the newest that can be used in the zone.
   */
  name?: string
}
/**
 * How the instance is bought.
 */
export interface IBMMachineAvailability {
  /**
   * With spot IBM may take the instance back at any time; standard is not taken back. Left out, it is what the profile is sold as when nothing is said, which is standard for nearly all.
   */
  class?: 'spot' | 'standard'
}
/**
 * What IBM does with the instance when it takes it back or its host fails.
 */
export interface IBMMachineAvailabilityPolicy {
  /**
   * What becomes of a spot instance that is taken back. With stop, which it is if left out, it stays, stopped, and shows why until its Machine is deleted; with delete it is gone, and nobody can tell why.
   */
  preemption?: 'stop' | 'delete'
  /**
   * What becomes of it when its host fails. Left out, IBM starts it again on another host.
   */
  hostFailure?: 'restart' | 'stop'
}
/**
 * Whether the instance uses capacity that the account has reserved. Left out, it does not: its policy is disabled.
 */
export interface IBMMachineReservationAffinity {
  /**
   * With manual the instance uses the reservation in pool, with automatic any that fits, with disabled none.
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
 * How the instance is connected. Left out, it goes to one of the IBMCluster's workerSubnets, with its security groups.
 */
export interface IBMMachinePrimaryNetworkInterface {
  /**
   * The subnet's id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd; it decides the zone. Left out, a subnet of the IBMCluster is taken, in the Machine's failure domain where it has one.
   */
  subnet?: string
  /**
   * The machine's security groups, instead of those of the IBMCluster. Without any the VPC's default group is taken.
   *
   * @minItems 1
   * @maxItems 5
   */
  securityGroups?: IBMMachineSecurityGroup[]
}
export interface IBMMachineSecurityGroup {
  /**
   * Its id, such as r006-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id?: string
  /**
   * Its name.
   */
  name?: string
}
export interface IBMMachineSshKey {
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
 * The disk that the instance boots from. Left out, it is as the image says. It ends with the instance.
 */
export interface IBMMachineBootVolume {
  /**
   * Its size in GiB, at least that of the image. Left out, it is the image's. At most 250 but for profile sdp.
   */
  sizeGiB?: number
  /**
   * The volume profile. Left out, it is general-purpose.
   */
  profile?: 'general-purpose' | '5iops-tier' | '10iops-tier' | 'custom' | 'sdp'
  /**
   * Operations a second, with profile custom or sdp.
   */
  iops?: number
  /**
   * The root key (Key Protect or Hyper Protect Crypto Services) to encrypt with, by its CRN, instead of IBM's own.
   */
  encryptionKeyCRN?: string
  /**
   * True, or left out, because the disk always ends with the instance.
   */
  deleteVolumeOnInstanceDelete?: boolean
}
/**
 * Where in the zone the instance is to run.
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
   * Its id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
}
/**
 * A group of dedicated hosts. It excludes spot.
 */
export interface IBMMachineDedicatedHostGroup {
  /**
   * Its id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
}
/**
 * A placement group, which keeps its instances on different hosts. For spot it makes a lack of capacity more likely.
 */
export interface IBMMachinePlacementGroup {
  /**
   * Its id, such as 0717-01234567-89ab-4cde-8f01-23456789abcd.
   */
  id: string
}
/**
 * How the instance may ask IBM Cloud about itself. Each that is left out is as said below.
 */
export interface IBMMachineMetadataService {
  /**
   * Whether it may ask at all; it may not if left out.
   */
  enabled?: boolean
  /**
   * How it is asked; by http if left out.
   */
  protocol?: 'http' | 'https'
  /**
   * How many hops the answers may go; 1 if left out, which keeps pods with a network of their own from acting as the node. 2 lets them.
   */
  responseHopLimit?: number
}
/**
 * The observed state, written by the provider. It is built again when the cluster is moved.
 */
export interface IBMMachineStatus {
  initialization?: IBMMachineInitialization
  /**
   * True where what was bought may be taken back. Cluster API then labels the Node cluster.x-k8s.io/interruptible.
   */
  interruptible?: boolean
  /**
   * What was really bought.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
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
   * What is so, since when and why. Ready is Unknown while the machine comes up or waits, True while the instance runs, False when it will never serve (again); Cluster API shows it as the Machine's InfrastructureReady.
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
export interface IBMMachineAddress {
  /**
   * What kind of address it is, and from where it can be reached.
   */
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS'
  /**
   * The address itself.
   */
  address: string
}
