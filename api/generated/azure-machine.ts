/* Made from crds/AzureMachine.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * AzureMachine is one virtual machine. It is created once, and never restarted or created again. When Azure evicts it, the condition Ready turns False with the reason. A new Machine gets a new virtual machine.
 */
export interface AzureMachine {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'AzureMachine'
  metadata: ObjectMeta & { namespace: string }
  spec: AzureMachineSpec
  status?: AzureMachineStatus
}
/**
 * What to create in Azure. It cannot change: create a new AzureMachineTemplate and name it in the MachineDeployment. Field names are those of Cluster API Provider Azure.
 */
export interface AzureMachineSpec {
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  additionalCapabilities?: {}
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  systemAssignedIdentityRole?: {}
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  virtualMachineScaleSetID?: string
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  disableVMBootstrapExtension?: boolean
  /**
   * The resource id of the virtual machine, equal to the providerID of its Node. The provider sets it once; leave it out.
   */
  providerID?: string
  /**
   * The size of the virtual machine, such as Standard_D2s_v5.
   */
  vmSize: string
  /**
   * What else to ask for, in this order, when Azure refuses what the spec itself asks for. While all of it is refused, the machine waits. Left out, a refused machine fails, and is replaced after a pause.
   *
   * @minItems 1
   * @maxItems 8
   */
  fallback?: AzureMachineFallback[]
  distribution?: AzureMachineDistribution
  image?: AzureMachineImage
  osDisk?: AzureMachineOsDisk
  /**
   * Additional empty disks. They are deleted with the machine.
   *
   * @maxItems 32
   */
  dataDisks?: AzureMachineDataDisk[]
  /**
   * The public key for SSH as user capi, as in authorized_keys (ssh-rsa or ssh-ed25519), in base64. Left out or empty, nobody can log in.
   */
  sshPublicKey?: string
  spotVMOptions?: AzureMachineSpotVMOptions
  /**
   * The resource id of the capacity reservation group. It must have a reservation for this size, in the zone of the machine.
   */
  capacityReservationGroupID?: string
  /**
   * The managed identity of the machine; None if left out. The provider assigns no roles to it.
   */
  identity?: 'None' | 'SystemAssigned' | 'UserAssigned'
  /**
   * The identities of the machine if identity is UserAssigned.
   *
   * @minItems 1
   * @maxItems 10
   */
  userAssignedIdentities?: AzureMachineUserAssignedIdentitie[]
  /**
   * The network interface of the machine. Exactly one is supported.
   *
   * @minItems 1
   * @maxItems 1
   */
  networkInterfaces?: AzureMachineNetworkInterface[]
  /**
   * The name of a subnet in the virtual network of the AzureCluster. Left out, the provider uses one of the subnets of the AzureCluster.
   */
  subnetName?: string
  /**
   * Whether the interface uses accelerated networking. Left out, it does if the size supports it.
   */
  acceleratedNetworking?: boolean
  /**
   * Whether the interface accepts packets for other addresses, as routed pod networks need. False if left out.
   */
  enableIPForwarding?: boolean
  /**
   * The only allowed value is false, because machines get no public address.
   */
  allocatePublicIP?: boolean
  /**
   * The DNS servers of the machine. Left out, they are those of the virtual network.
   *
   * @maxItems 10
   */
  dnsServers?: string[]
  securityProfile?: AzureMachineSecurityProfile
  diagnostics?: AzureMachineDiagnostics
  /**
   * Extensions that Azure installs one after the other once the machine runs. If one is refused or fails, the provider records the event ExtensionFailed, and the machine still serves.
   *
   * @maxItems 8
   */
  vmExtensions?: AzureMachineVmExtension[]
  /**
   * Tags for the virtual machine, its disks and network interface. They override tags of the AzureCluster. The provider adds its own. Azure allows 50 on a resource: 20 here, 20 on the AzureCluster, 10 for the provider.
   */
  additionalTags?: {
    [k: string]: string
  }
}
export interface AzureMachineFallback {
  /**
   * How to buy the instance. Left out, as the spec itself says. A field for one market, such as spotVMOptions, holds for the entries of that market.
   */
  capacityType?: 'Spot' | 'OnDemand'
  /**
   * The sizes, in this order. Left out, it is vmSize. They must suit the same image.
   *
   * @minItems 1
   * @maxItems 64
   */
  vmSizes?: string[]
  /**
   * The zones 1, 2 and 3, or regional, which is a placement without a zone. Left out, it is regional. Each machine has its own order of zones. A Machine with a failure domain stays in it.
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
export interface AzureMachineDistribution {
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
 * The image that the machine boots from. Left out, it is the test image that Cluster API publishes for the version of the Machine.
 */
export interface AzureMachineImage {
  /**
   * The resource id of a managed image, of an image definition in a compute gallery, or of an image version.
   */
  id?: string
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  sharedGallery?: {}
  marketplace?: AzureMachineMarketplace
  computeGallery?: AzureMachineComputeGallery
}
/**
 * An image of the marketplace.
 */
export interface AzureMachineMarketplace {
  /**
   * A part of the name of the image, as the marketplace shows it.
   */
  publisher: string
  /**
   * A part of the name of the image, as the marketplace shows it.
   */
  offer: string
  /**
   * A part of the name of the image, as the marketplace shows it.
   */
  sku: string
  /**
   * The version of the image, or latest.
   */
  version: string
  /**
   * True if the image has a purchase plan. The subscription must have accepted its terms. False if left out.
   */
  thirdPartyImage?: boolean
}
/**
 * An image of a compute gallery. A community gallery needs its public name only. Any other gallery needs subscriptionID and resourceGroup, and the manager must be allowed to read it.
 */
export interface AzureMachineComputeGallery {
  /**
   * The name of the gallery. For a community gallery it is the public name.
   */
  gallery: string
  /**
   * The name of the image definition.
   */
  name: string
  /**
   * The version of the image, such as 1.2.3, or latest.
   */
  version: string
  /**
   * The subscription that the gallery is in.
   */
  subscriptionID?: string
  /**
   * The resource group that the gallery is in.
   */
  resourceGroup?: string
  plan?: AzureMachinePlan
}
/**
 * The purchase plan of the image, if it has one.
 */
export interface AzureMachinePlan {
  /**
   * A part of the name of the plan, as the marketplace shows it.
   */
  publisher: string
  /**
   * A part of the name of the plan, as the marketplace shows it.
   */
  offer: string
  /**
   * A part of the name of the plan, as the marketplace shows it.
   */
  sku: string
}
/**
 * The disk that the machine boots from. It is deleted with the machine.
 */
export interface AzureMachineOsDisk {
  /**
   * The operating system. Only Linux is supported.
   */
  osType?: 'Linux' | 'Windows'
  /**
   * The size in GB, at least the size of the image. Left out, it is the size of the image.
   */
  diskSizeGB?: number
  managedDisk?: AzureMachineManagedDisk
  diffDiskSettings?: AzureMachineDiffDiskSettings
  /**
   * The cache of the host for the disk. Left out, it is None, or ReadOnly for an ephemeral disk.
   */
  cachingType?: 'None' | 'ReadOnly' | 'ReadWrite'
}
/**
 * The storage of the disk.
 */
export interface AzureMachineManagedDisk {
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  securityProfile?: {}
  /**
   * The type of the disk. Left out, Azure chooses it by the size of the machine.
   */
  storageAccountType?: 'Standard_LRS' | 'StandardSSD_LRS' | 'Premium_LRS' | 'StandardSSD_ZRS' | 'Premium_ZRS'
  diskEncryptionSet?: AzureMachineDiskEncryptionSet
}
/**
 * Encrypts the disk with a key of your own.
 */
export interface AzureMachineDiskEncryptionSet {
  /**
   * The resource id of the disk encryption set.
   */
  id: string
}
/**
 * Puts the disk on the host (an ephemeral disk). It is fast and free, and it is deleted with the machine.
 */
export interface AzureMachineDiffDiskSettings {
  /**
   * The only allowed value is Local.
   */
  option: 'Local'
  /**
   * The disk of the host to use. Left out, Azure chooses it by the size of the machine.
   */
  placement?: 'CacheDisk' | 'NvmeDisk' | 'ResourceDisk'
}
export interface AzureMachineDataDisk {
  /**
   * The suffix of the disk name. The name of the machine stands before it.
   */
  nameSuffix: string
  /**
   * The size in GB.
   */
  diskSizeGB: number
  managedDisk?: AzureMachineManagedDisk
  /**
   * The logical unit number (LUN) of the disk. Left out, disks are numbered from 0.
   */
  lun?: number
  /**
   * The cache of the host for the disk; ReadWrite if left out.
   */
  cachingType?: 'None' | 'ReadOnly' | 'ReadWrite'
}
/**
 * Buys a spot machine on these terms. If empty ({}), the maximum is the price of a regular machine. Azure evicts spot machines with a notice of 30 seconds.
 */
export interface AzureMachineSpotVMOptions {
  /**
   * The maximum price in US dollars per hour, as a whole number or in quotes: "0.05". Above it, Azure starts no machine and evicts running ones. Left out, empty or -1, the maximum is the price of a regular machine.
   */
  maxPrice?: number | string
  /**
   * What Azure does with a machine that it evicts; Deallocate if left out. Deallocate keeps the disks until the Machine is deleted. Delete removes the machine; an ephemeral osDisk needs it. The machine is never started again.
   */
  evictionPolicy?: 'Deallocate' | 'Delete'
}
export interface AzureMachineUserAssignedIdentitie {
  /**
   * The resource id of the identity, with or without the prefix azure://.
   */
  providerID: string
}
export interface AzureMachineNetworkInterface {
  /**
   * The name of a subnet in the virtual network of the AzureCluster. Left out, the provider uses one of the subnets of the AzureCluster.
   */
  subnetName?: string
  /**
   * The number of addresses of the interface; 1 if left out.
   */
  privateIPConfigs?: number
  /**
   * Whether the interface uses accelerated networking. Left out, it does if the size supports it.
   */
  acceleratedNetworking?: boolean
}
/**
 * Security settings of the machine.
 */
export interface AzureMachineSecurityProfile {
  /**
   * Whether the host encrypts caches and temporary disks; the feature must be enabled in the subscription. False if left out.
   */
  encryptionAtHost?: boolean
  /**
   * TrustedLaunch protects the boot and needs a generation 2 image. Left out, Azure decides.
   */
  securityType?: 'TrustedLaunch' | 'ConfidentialVM'
  uefiSettings?: AzureMachineUefiSettings
}
/**
 * Settings of TrustedLaunch.
 */
export interface AzureMachineUefiSettings {
  /**
   * Whether only signed boot components are loaded.
   */
  secureBootEnabled?: boolean
  /**
   * Whether the machine has a virtual TPM.
   */
  vTpmEnabled?: boolean
}
/**
 * What Azure records about the boot of the machine.
 */
export interface AzureMachineDiagnostics {
  boot?: AzureMachineBoot
}
/**
 * The serial console log and the screenshot of the boot.
 */
export interface AzureMachineBoot {
  /**
   * Not supported. The field exists only so that the API server can refuse it with a remedy.
   */
  userManaged?: {}
  /**
   * Managed stores the records in storage of Azure. Disabled stores nothing. Managed if left out.
   */
  storageAccountType: 'Managed' | 'Disabled'
}
export interface AzureMachineVmExtension {
  /**
   * The name of the extension. It is also the type of the extension, such as CustomScript.
   */
  name: string
  /**
   * The publisher of the extension, such as Microsoft.Azure.Extensions.
   */
  publisher: string
  /**
   * The version of the extension, such as 2.1.
   */
  version: string
  /**
   * Settings of the extension.
   */
  settings?: {
    [k: string]: string
  }
  /**
   * Settings that Azure encrypts. All users with read access to this object can read them, so do not put secrets here.
   */
  protectedSettings?: {
    [k: string]: string
  }
}
/**
 * The observed state. The provider writes it, and writes it again after clusterctl move.
 */
export interface AzureMachineStatus {
  initialization?: AzureMachineInitialization
  /**
   * True if the cloud can reclaim the instance. Cluster API then sets the label cluster.x-k8s.io/interruptible on the Node.
   */
  interruptible?: boolean
  /**
   * The capacity type that the cloud delivered. Until the instance is shown, the one that was requested.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The size that the cloud delivered. Until the instance is shown, the one that was requested.
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
  attempts?: AzureMachineAttempt[]
  /**
   * The resource group and the name of the virtual machine. The name is never used again.
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
  addresses?: AzureMachineAddress[]
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
export interface AzureMachineInitialization {
  /**
   * True once Azure has started the virtual machine; it stays true.
   */
  provisioned?: boolean
}
export interface AzureMachineAttempt {
  /**
   * The capacity type that was requested.
   */
  capacityType: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The size that was requested.
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
export interface AzureMachineAddress {
  /**
   * The type of the address: internal or external, IP address, host name or DNS name.
   */
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS'
  /**
   * The address.
   */
  address: string
}
