/* Made from crds/GCPMachine.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * GCPMachine is one GCE instance. It is created once, and never restarted or created again. When GCE takes it back, the condition Ready turns False and says why; a new Machine brings a new instance.
 */
export interface GCPMachine {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'GCPMachine'
  metadata: ObjectMeta & { namespace: string }
  spec: GCPMachineSpec
  status?: GCPMachineStatus
}
/**
 * What to create in GCE. It cannot change: create a new GCPMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider GCP.
 */
export interface GCPMachineSpec {
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   *
   * @maxItems 64
   */
  resourceManagerTags?: {}[]
  /**
   * Which instance this is: gce://<project>/<zone>/<name>, as on its Node. The provider sets it, once; leave it out.
   */
  providerID?: string
  /**
   * The machine type, such as e2-standard-4 or n2-custom-4-8192.
   */
  instanceType: string
  /**
   * The name of the subnet, in the GCPCluster's region and network. Left out, it is the first of the GCPCluster's subnets there, else the one that the network has by itself.
   */
  subnet?: string
  /**
   * Further internal addresses for the instance, for its pods say.
   *
   * @maxItems 100
   */
  aliasIPRanges?: GCPMachineAliasIPRange[]
  /**
   * The family of which the instance boots the newest image, such as projects/my-project/global/images/family/my-family. Left out like image, it is capi-ubuntu-2404-k8s-v<major>-<minor> in the GCPCluster's project, by the Machine's version.
   */
  imageFamily?: string
  /**
   * The image that the instance boots from, such as projects/my-project/global/images/my-image. It wins over imageFamily.
   */
  image?: string
  /**
   * Labels for the instance and its disks, besides those of the GCPCluster (over which they win) and our own. GCE allows 64: 25 here, 25 there, the rest for us.
   */
  additionalLabels?: {
    [k: string]: string
  }
  /**
   * Metadata for the instance besides the bootstrap data, which stands under user-data.
   *
   * @maxItems 64
   */
  additionalMetadata?: GCPMachineAdditionalMetadata[]
  /**
   * Whether the instance gets a public address. Left out, it has none, and reaches the internet by Cloud NAT only.
   */
  publicIP?: boolean
  /**
   * Network tags, by which firewall rules and routes find the instance, besides <cluster> and <cluster>-node.
   *
   * @maxItems 60
   */
  additionalNetworkTags?: string[]
  /**
   * The size in GB of the disk that the instance boots from. Left out, it is that of the image.
   */
  rootDeviceSize?: number
  /**
   * The type of the disk that the instance boots from; pd-standard if left out. Newer machine types take hyperdisk-balanced only.
   */
  rootDeviceType?: 'pd-standard' | 'pd-ssd' | 'pd-balanced' | 'hyperdisk-balanced'
  /**
   * Further disks, empty ones. They end with the instance.
   *
   * @maxItems 24
   */
  additionalDisks?: GCPMachineAdditionalDisk[]
  serviceAccounts?: GCPMachineServiceAccounts
  /**
   * Buys a preemptible instance: the older form of spot, which GCE ends after 24 hours at the latest. Better is provisioningModel Spot.
   */
  preemptible?: boolean
  /**
   * How the instance is bought; Standard if left out. Spot instances cost less and GCE may take them back at any time.
   */
  provisioningModel?: 'Standard' | 'Spot'
  /**
   * What becomes of a spot instance that GCE takes back; Stop if left out. It is not started again: Stop keeps it and its disks until the Machine is deleted, Delete does not.
   */
  instanceTerminationAction?: 'Stop' | 'Delete'
  /**
   * How long before it is shut down a spot instance is told that GCE takes it back. Left out, it is not told before; then it has up to 30 seconds.
   */
  preemptionNoticeDuration?: '0s' | '120s'
  /**
   * Whether the instance may send and receive packets of other addresses than its own, as many pod networks need; Enabled if left out.
   */
  ipForwarding?: 'Enabled' | 'Disabled'
  shieldedInstanceConfig?: GCPMachineShieldedInstanceConfig
  /**
   * What becomes of the instance when its host is maintained. Left out, GCE takes Migrate; spot instances, bare metal, H4D and all with accelerators, also as a part of the instanceType, always Terminate.
   */
  onHostMaintenance?: 'Migrate' | 'Terminate'
  /**
   * Whether the processor encrypts the memory, and by which technology; Disabled if left out. It needs a machine type and an image that can do it.
   */
  confidentialCompute?:
    | 'Enabled'
    | 'Disabled'
    | 'AMDEncryptedVirtualization'
    | 'AMDEncryptedVirtualizationNestedPaging'
    | 'IntelTrustedDomainExtensions'
  rootDiskEncryptionKey?: GCPMachineRootDiskEncryptionKey
  /**
   * Accelerators for the instance, besides those that are part of its type. GCE has them in some zones only.
   *
   * @maxItems 8
   */
  guestAccelerators?: GCPMachineGuestAccelerator[]
  reservationAffinity?: GCPMachineReservationAffinity
}
export interface GCPMachineAliasIPRange {
  /**
   * An address (10.2.3.4), a range (10.1.2.0/24), or only how large one is wanted (/24).
   */
  ipCidrRange: string
  /**
   * The secondary range of the subnet to take it from. Left out, it is the primary one.
   */
  subnetworkRangeName?: string
}
export interface GCPMachineAdditionalMetadata {
  /**
   * Its key, such as serial-port-enable.
   */
  key: string
  /**
   * Its value. Left out, it is empty. Whoever may see the instance sees it.
   */
  value?: string
}
export interface GCPMachineAdditionalDisk {
  /**
   * The type of the disk; pd-standard if left out. A local-ssd is part of the host, and what is on it ends with every stop.
   */
  deviceType?: 'pd-standard' | 'pd-ssd' | 'local-ssd' | 'pd-balanced' | 'hyperdisk-balanced'
  /**
   * Its size in GB; 30 if left out, and always 375 for a local-ssd.
   */
  size?: number
  encryptionKey?: GCPMachineEncryptionKey
}
/**
 * The key of Cloud KMS with which the disk is encrypted. Left out, GCE encrypts it with a key of its own.
 */
export interface GCPMachineEncryptionKey {
  /**
   * Managed, and nothing else is possible.
   */
  keyType: 'Managed' | 'Supplied'
  /**
   * The service account that uses the key. Left out, it is that of Compute Engine.
   */
  kmsKeyServiceAccount?: string
  managedKey?: GCPMachineManagedKey
}
/**
 * The key.
 */
export interface GCPMachineManagedKey {
  /**
   * Its full name, such as projects/my-project/locations/europe-west1/keyRings/my-ring/cryptoKeys/my-key.
   */
  kmsKeyName: string
}
/**
 * The service account as which the node acts. Left out, it is the project's default one with the scope cloud-platform.
 */
export interface GCPMachineServiceAccounts {
  /**
   * Its address, or default. Left out, it is the project's default one.
   */
  email?: string
  /**
   * What it may be used for, such as https://www.googleapis.com/auth/cloud-platform, which is also taken if left out.
   *
   * @minItems 1
   * @maxItems 50
   */
  scopes?: string[]
}
/**
 * How the instance proves that it booted what it should. Each that is left out is as said below.
 */
export interface GCPMachineShieldedInstanceConfig {
  /**
   * Whether only signed software boots; Disabled if left out.
   */
  secureBoot?: 'Enabled' | 'Disabled'
  /**
   * Whether the instance has a virtual TPM; Enabled if left out.
   */
  virtualizedTrustedPlatformModule?: 'Enabled' | 'Disabled'
  /**
   * Whether what it booted is compared with its first boot; Enabled if left out.
   */
  integrityMonitoring?: 'Enabled' | 'Disabled'
}
/**
 * The key of Cloud KMS with which the disk is encrypted. Left out, GCE encrypts it with a key of its own.
 */
export interface GCPMachineRootDiskEncryptionKey {
  /**
   * Managed, and nothing else is possible.
   */
  keyType: 'Managed' | 'Supplied'
  /**
   * The service account that uses the key. Left out, it is that of Compute Engine.
   */
  kmsKeyServiceAccount?: string
  managedKey?: GCPMachineManagedKey
}
export interface GCPMachineGuestAccelerator {
  /**
   * How many.
   */
  count: number
  /**
   * The name of the type, such as nvidia-tesla-t4, or its address, of which only the name counts.
   */
  type: string
}
/**
 * Whether reservations of the project are used. Left out, GCE uses an open one where one fits, but never for a spot instance.
 */
export interface GCPMachineReservationAffinity {
  /**
   * ANY_RESERVATION takes an open one where one fits, SPECIFIC_RESERVATION the named one or nothing, NO_RESERVATION none.
   */
  consumeReservationType: 'ANY_RESERVATION' | 'SPECIFIC_RESERVATION' | 'NO_RESERVATION'
  /**
   * By what the reservation is named. There is but one way; it may be left out.
   */
  key?: 'compute.googleapis.com/reservation-name'
  /**
   * The reservation's name, or projects/<project>/reservations/<name> for one of another project. It is in one zone: set the Machine's failure domain.
   *
   * @minItems 1
   * @maxItems 1
   */
  values?: string[]
}
/**
 * The observed state, written by the provider. It is built again when the cluster is moved.
 */
export interface GCPMachineStatus {
  initialization?: GCPMachineInitialization
  /**
   * True where what was bought may be taken back. Cluster API then labels the Node cluster.x-k8s.io/interruptible.
   */
  interruptible?: boolean
  /**
   * What was really bought.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The zone, and GCE's numeric id of the instance there.
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
  addresses?: GCPMachineAddress[]
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
export interface GCPMachineInitialization {
  /**
   * True once GCE has started the instance; it stays true.
   */
  provisioned?: boolean
}
export interface GCPMachineAddress {
  /**
   * What kind of address it is, and from where it can be reached.
   */
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS'
  /**
   * The address itself.
   */
  address: string
}
