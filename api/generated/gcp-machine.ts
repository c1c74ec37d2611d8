/* Made from crds/GCPMachine.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * GCPMachine is one GCE instance. It is created once, and never restarted or created again. When GCE reclaims it, the condition Ready turns False with the reason. A new Machine gets a new instance.
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
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   *
   * @maxItems 64
   */
  resourceManagerTags?: {}[]
  /**
   * The id of the instance, gce://<project>/<zone>/<name>, equal to the providerID of its Node. The provider sets it once; leave it out.
   */
  providerID?: string
  /**
   * The machine type, such as e2-standard-4 or n2-custom-4-8192.
   */
  instanceType: string
  /**
   * What else to ask for, in this order, when GCE refuses what the spec itself asks for. While all of it is refused, the machine waits. Left out, a refused machine fails, and is replaced after a pause.
   *
   * @minItems 1
   * @maxItems 8
   */
  fallback?: GCPMachineFallback[]
  distribution?: GCPMachineDistribution
  /**
   * The name of the subnet, in the region and network of the GCPCluster. Left out, it is the first subnet that the GCPCluster names. Without any, it is the subnet that an auto mode network has in the region.
   */
  subnet?: string
  /**
   * Additional internal addresses for the instance, for example for its pods.
   *
   * @maxItems 100
   */
  aliasIPRanges?: GCPMachineAliasIPRange[]
  /**
   * The image family, such as projects/my-project/global/images/family/my-family. The instance boots the newest image of the family. If image is left out too, it is capi-ubuntu-2404-k8s-v<major>-<minor> in the project of the GCPCluster, for the version of the Machine.
   */
  imageFamily?: string
  /**
   * The image that the instance boots from, such as projects/my-project/global/images/my-image. It overrides imageFamily.
   */
  image?: string
  /**
   * Labels for the instance and its disks. They override labels of the GCPCluster. The provider adds its own. GCE allows 64: 25 here, 25 on the GCPCluster, the rest for the provider.
   */
  additionalLabels?: {
    [k: string]: string
  }
  /**
   * Additional metadata of the instance. The key user-data holds the bootstrap data.
   *
   * @maxItems 64
   */
  additionalMetadata?: GCPMachineAdditionalMetadata[]
  /**
   * Whether the instance gets a public address. Left out, it has none, and needs Cloud NAT to reach the internet.
   */
  publicIP?: boolean
  /**
   * Network tags for firewall rules and routes. The provider adds <cluster> and <cluster>-node.
   *
   * @maxItems 60
   */
  additionalNetworkTags?: string[]
  /**
   * The size of the boot disk in GB. Left out, it is the size of the image.
   */
  rootDeviceSize?: number
  /**
   * The type of the boot disk; pd-standard if left out. Newer machine types only support hyperdisk-balanced.
   */
  rootDeviceType?: 'pd-standard' | 'pd-ssd' | 'pd-balanced' | 'hyperdisk-balanced'
  /**
   * Additional empty disks. They are deleted with the instance.
   *
   * @maxItems 24
   */
  additionalDisks?: GCPMachineAdditionalDisk[]
  serviceAccounts?: GCPMachineServiceAccounts
  /**
   * Buys a preemptible instance, the older form of spot. GCE ends it after 24 hours at the latest. Prefer provisioningModel Spot.
   */
  preemptible?: boolean
  /**
   * How the instance is bought; Standard if left out. Spot instances cost less, and GCE can reclaim them at any time.
   */
  provisioningModel?: 'Standard' | 'Spot'
  /**
   * What GCE does with a spot instance that it reclaims; Stop if left out. Stop keeps the instance and its disks until the Machine is deleted. Delete removes both at once. The instance is never started again.
   */
  instanceTerminationAction?: 'Stop' | 'Delete'
  /**
   * How long before the shutdown GCE sends the preemption notice to a spot instance. Left out, GCE sends no notice before the shutdown, which takes up to 30 seconds.
   */
  preemptionNoticeDuration?: '0s' | '120s'
  /**
   * Whether the instance can send and receive packets of other addresses, as many pod networks need; Enabled if left out.
   */
  ipForwarding?: 'Enabled' | 'Disabled'
  shieldedInstanceConfig?: GCPMachineShieldedInstanceConfig
  /**
   * What GCE does with the instance during maintenance of its host. Left out, it is Migrate for most instances. It is always Terminate for spot instances, bare metal, H4D and instances with accelerators.
   */
  onHostMaintenance?: 'Migrate' | 'Terminate'
  /**
   * The technology that encrypts the memory; Disabled if left out. The machine type and the image must support it.
   */
  confidentialCompute?:
    | 'Enabled'
    | 'Disabled'
    | 'AMDEncryptedVirtualization'
    | 'AMDEncryptedVirtualizationNestedPaging'
    | 'IntelTrustedDomainExtensions'
  rootDiskEncryptionKey?: GCPMachineRootDiskEncryptionKey
  /**
   * Accelerators in addition to those that are part of the instance type. GCE offers them only in some zones.
   *
   * @maxItems 8
   */
  guestAccelerators?: GCPMachineGuestAccelerator[]
  reservationAffinity?: GCPMachineReservationAffinity
}
export interface GCPMachineFallback {
  /**
   * How to buy the instance. Left out, as the spec itself says. A field for one market, such as reservationAffinity, holds for the entries of that market.
   */
  capacityType?: 'Spot' | 'OnDemand'
  /**
   * The machine types, in this order. Left out, it is instanceType. They must suit the same image.
   *
   * @minItems 1
   * @maxItems 64
   */
  instanceTypes?: string[]
  /**
   * The zones, such as europe-west1-b. Left out, they are those of the GCPCluster, or of the region. Each machine has its own order of zones. A Machine with a failure domain stays in it.
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
export interface GCPMachineDistribution {
  /**
   * So many Machines come first on demand. Left out, it is 0.
   */
  onDemandBase?: number
  /**
   * The percentage of the Machines above onDemandBase that are on demand, rounded up. Left out, it is 0.
   */
  onDemandPercentAboveBase?: number
}
export interface GCPMachineAliasIPRange {
  /**
   * An address (10.2.3.4), a range (10.1.2.0/24), or only the size of a range (/24).
   */
  ipCidrRange: string
  /**
   * The secondary range of the subnet that contains the address. Left out, it is the primary range.
   */
  subnetworkRangeName?: string
}
export interface GCPMachineAdditionalMetadata {
  /**
   * The key, such as serial-port-enable.
   */
  key: string
  /**
   * The value; empty if left out. All users with read access to the instance can see it.
   */
  value?: string
}
export interface GCPMachineAdditionalDisk {
  /**
   * The type of the disk; pd-standard if left out. A local-ssd is part of the host and loses its data when the instance stops.
   */
  deviceType?: 'pd-standard' | 'pd-ssd' | 'local-ssd' | 'pd-balanced' | 'hyperdisk-balanced'
  /**
   * The size in GB; 30 if left out, and always 375 for a local-ssd.
   */
  size?: number
  encryptionKey?: GCPMachineEncryptionKey
}
/**
 * The Cloud KMS key that encrypts the disk. Left out, GCE encrypts the disk with a key of Google.
 */
export interface GCPMachineEncryptionKey {
  /**
   * The only allowed value is Managed.
   */
  keyType: 'Managed' | 'Supplied'
  /**
   * The service account that uses the key. Left out, it is the service agent of Compute Engine.
   */
  kmsKeyServiceAccount?: string
  managedKey?: GCPMachineManagedKey
}
/**
 * The key.
 */
export interface GCPMachineManagedKey {
  /**
   * The full name of the key, such as projects/my-project/locations/europe-west1/keyRings/my-ring/cryptoKeys/my-key.
   */
  kmsKeyName: string
}
/**
 * The service account of the node. Left out, it is the default service account of the project with the scope cloud-platform.
 */
export interface GCPMachineServiceAccounts {
  /**
   * The email address of the service account, or default. Left out, it is the default service account of the project.
   */
  email?: string
  /**
   * The OAuth scopes of the service account; https://www.googleapis.com/auth/cloud-platform if left out.
   *
   * @minItems 1
   * @maxItems 50
   */
  scopes?: string[]
}
/**
 * Settings of Shielded VM, which verifies the boot of the instance. Each field states its default.
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
   * Whether each boot is compared with the first boot; Enabled if left out.
   */
  integrityMonitoring?: 'Enabled' | 'Disabled'
}
/**
 * The Cloud KMS key that encrypts the disk. Left out, GCE encrypts the disk with a key of Google.
 */
export interface GCPMachineRootDiskEncryptionKey {
  /**
   * The only allowed value is Managed.
   */
  keyType: 'Managed' | 'Supplied'
  /**
   * The service account that uses the key. Left out, it is the service agent of Compute Engine.
   */
  kmsKeyServiceAccount?: string
  managedKey?: GCPMachineManagedKey
}
export interface GCPMachineGuestAccelerator {
  /**
   * The number of accelerators.
   */
  count: number
  /**
   * The accelerator type, such as nvidia-tesla-t4. A full URL is allowed too; only the name at its end is used.
   */
  type: string
}
/**
 * Whether the instance uses reservations of the project. Left out, GCE uses an open reservation that fits, but never for a spot instance.
 */
export interface GCPMachineReservationAffinity {
  /**
   * ANY_RESERVATION uses an open reservation if one fits. SPECIFIC_RESERVATION uses only the reservation in values. NO_RESERVATION uses no reservation.
   */
  consumeReservationType: 'ANY_RESERVATION' | 'SPECIFIC_RESERVATION' | 'NO_RESERVATION'
  /**
   * The label key that selects the reservation. Only one value is allowed; leave it out.
   */
  key?: 'compute.googleapis.com/reservation-name'
  /**
   * The name of the reservation, or projects/<project>/reservations/<name> for a reservation of another project. A reservation belongs to one zone: set the failure domain of the Machine.
   *
   * @minItems 1
   * @maxItems 1
   */
  values?: string[]
}
/**
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface GCPMachineStatus {
  initialization?: GCPMachineInitialization
  /**
   * True if the cloud can reclaim the instance. Cluster API then sets the label cluster.x-k8s.io/interruptible on the Node.
   */
  interruptible?: boolean
  /**
   * The capacity type that the cloud delivered. Until the instance is shown, the one that was requested.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The machine type that the cloud delivered. Until the instance is shown, the one that was requested.
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
  attempts?: GCPMachineAttempt[]
  /**
   * The zone and the numeric GCE id of the instance.
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
   * The conditions of the object. Ready is Unknown while the machine starts or waits, and True while the instance runs. It is False when the machine has failed or ended for good. Cluster API shows it as the condition InfrastructureReady of the Machine.
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
export interface GCPMachineAttempt {
  /**
   * The capacity type that was requested.
   */
  capacityType: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The machine type that was requested.
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
export interface GCPMachineAddress {
  /**
   * The type of the address: internal or external, IP address, host name or DNS name.
   */
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS'
  /**
   * The address.
   */
  address: string
}
