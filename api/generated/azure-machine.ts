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
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  additionalCapabilities?: {}
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  systemAssignedIdentityRole?: {}
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  virtualMachineScaleSetID?: string
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  disableVMBootstrapExtension?: boolean
  /**
   * Which virtual machine this is, by its resource id, as on its Node. The provider sets it, once; leave it out.
   */
  providerID?: string
  /**
   * The size of the virtual machine, such as Standard_D2s_v5.
   */
  vmSize: string
  image?: AzureMachineImage
  osDisk?: AzureMachineOsDisk
  /**
   * Further disks, empty ones. They end with the machine.
   *
   * @maxItems 32
   */
  dataDisks?: AzureMachineDataDisk[]
  /**
   * Who may log in as capi: a public key as in authorized_keys (ssh-rsa or ssh-ed25519), in base64. Left out or empty, nobody may.
   */
  sshPublicKey?: string
  spotVMOptions?: AzureMachineSpotVMOptions
  /**
   * The resource id of the capacity reservation group to run in, which has a reservation for this size (and zone).
   */
  capacityReservationGroupID?: string
  /**
   * The managed identity that the machine acts with; None if left out. What it may do is granted elsewhere: no role is assigned here.
   */
  identity?: 'None' | 'SystemAssigned' | 'UserAssigned'
  /**
   * The identities to act with, where identity is UserAssigned.
   *
   * @minItems 1
   * @maxItems 10
   */
  userAssignedIdentities?: AzureMachineUserAssignedIdentitie[]
  /**
   * The machine's network interface; there is one.
   *
   * @minItems 1
   * @maxItems 1
   */
  networkInterfaces?: AzureMachineNetworkInterface[]
  /**
   * The subnet of the AzureCluster's virtual network to be in. Left out, it is one of the AzureCluster's own.
   */
  subnetName?: string
  /**
   * Whether the interface uses accelerated networking. Left out, it does where the size supports it.
   */
  acceleratedNetworking?: boolean
  /**
   * Whether the interface takes packets that are not for its own address, as routed pod networks need. False if left out.
   */
  enableIPForwarding?: boolean
  /**
   * False, or left out: machines have no public address of their own.
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
   * Extensions that Azure installs once the machine runs, one after the other. They end with it. A refused or failed one is told by the event ExtensionFailed; the machine serves all the same.
   *
   * @maxItems 8
   */
  vmExtensions?: AzureMachineVmExtension[]
  /**
   * Tags for the virtual machine, its disks and network interface, besides those of the AzureCluster (over which they win) and our own. Azure allows 50 on a resource: 20 here, 20 there, 10 for us.
   */
  additionalTags?: {
    [k: string]: string
  }
}
/**
 * The image that the machine boots from. Left out, it is the one that Cluster API publishes for trying things out, of the Machine's version.
 */
export interface AzureMachineImage {
  /**
   * The resource id of an image, of one in a compute gallery, or of a version of that.
   */
  id?: string
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
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
   * Part of the image's name, as the marketplace shows it.
   */
  publisher: string
  /**
   * Part of the image's name, as the marketplace shows it.
   */
  offer: string
  /**
   * Part of the image's name, as the marketplace shows it.
   */
  sku: string
  /**
   * The version of the image, or latest.
   */
  version: string
  /**
   * True where the image is bought by a plan, whose terms the subscription has accepted. False if left out.
   */
  thirdPartyImage?: boolean
}
/**
 * An image of a compute gallery: of a community gallery by its public name, or, with subscriptionID and resourceGroup, of one that the manager may read.
 */
export interface AzureMachineComputeGallery {
  /**
   * The gallery's name; of a community gallery the public one.
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
 * The plan that the image is bought by, where it has one.
 */
export interface AzureMachinePlan {
  /**
   * Part of the plan's name, as the marketplace shows it.
   */
  publisher: string
  /**
   * Part of the plan's name, as the marketplace shows it.
   */
  offer: string
  /**
   * Part of the plan's name, as the marketplace shows it.
   */
  sku: string
}
/**
 * The disk that the machine boots from. It ends with the machine.
 */
export interface AzureMachineOsDisk {
  /**
   * The operating system. Only Linux is supported.
   */
  osType?: 'Linux' | 'Windows'
  /**
   * Its size in GB, at least that of the image. Left out, it is as the image says.
   */
  diskSizeGB?: number
  managedDisk?: AzureMachineManagedDisk
  diffDiskSettings?: AzureMachineDiffDiskSettings
  /**
   * What the host keeps of the disk. None if left out, ReadOnly of an ephemeral disk.
   */
  cachingType?: 'None' | 'ReadOnly' | 'ReadWrite'
}
/**
 * Where the disk is kept.
 */
export interface AzureMachineManagedDisk {
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  securityProfile?: {}
  /**
   * The kind of disk. Left out, Azure chooses by the size of the machine.
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
 * Puts the disk on the host itself (an ephemeral disk): fast, at no cost, and gone with the machine.
 */
export interface AzureMachineDiffDiskSettings {
  /**
   * Local, and nothing else.
   */
  option: 'Local'
  /**
   * Which of the host's disks it is. Left out, Azure chooses by the size of the machine.
   */
  placement?: 'CacheDisk' | 'NvmeDisk' | 'ResourceDisk'
}
export interface AzureMachineDataDisk {
  /**
   * What follows the machine's name in the name of the disk.
   */
  nameSuffix: string
  /**
   * Its size in GB.
   */
  diskSizeGB: number
  managedDisk?: AzureMachineManagedDisk
  /**
   * At which place it is attached. Left out, they are counted from 0.
   */
  lun?: number
  /**
   * What the host keeps of the disk; ReadWrite if left out.
   */
  cachingType?: 'None' | 'ReadOnly' | 'ReadWrite'
}
/**
 * Buys a spot machine, on these terms. Empty ({}) is allowed: spot, at no more than the price of a regular one. Azure evicts spot machines at half a minute's notice.
 */
export interface AzureMachineSpotVMOptions {
  /**
   * The highest price to pay, in US dollars an hour: a whole number, or in quotes: "0.05". Above it Azure starts nothing and evicts what runs. Left out, empty or -1, the limit is the price of a regular machine.
   */
  maxPrice?: number | string
  /**
   * What Azure does to a machine that it evicts. Deallocate, which it is if left out, keeps its disks until the Machine is deleted. Delete removes it, and is what an ephemeral osDisk needs. Neither ever starts it again.
   */
  evictionPolicy?: 'Deallocate' | 'Delete'
}
export interface AzureMachineUserAssignedIdentitie {
  /**
   * The resource id of the identity; azure:// may stand before it.
   */
  providerID: string
}
export interface AzureMachineNetworkInterface {
  /**
   * The subnet of the AzureCluster's virtual network to be in. Left out, it is one of the AzureCluster's own.
   */
  subnetName?: string
  /**
   * How many addresses the interface has; 1 if left out.
   */
  privateIPConfigs?: number
  /**
   * Whether the interface uses accelerated networking. Left out, it does where the size supports it.
   */
  acceleratedNetworking?: boolean
}
/**
 * Security settings of the machine.
 */
export interface AzureMachineSecurityProfile {
  /**
   * Whether the host encrypts what it keeps of the disks; the subscription has to have the feature. False if left out.
   */
  encryptionAtHost?: boolean
  /**
   * TrustedLaunch guards the boot, and needs an image of the second generation. Left out, Azure decides.
   */
  securityType?: 'TrustedLaunch' | 'ConfidentialVM'
  uefiSettings?: AzureMachineUefiSettings
}
/**
 * What TrustedLaunch does.
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
 * The boot's console and screen.
 */
export interface AzureMachineBoot {
  /**
   * Not supported. The field is known only so that it can be refused with a remedy.
   */
  userManaged?: {}
  /**
   * Managed, which it is if left out, keeps them in Azure's own storage. Disabled keeps nothing.
   */
  storageAccountType: 'Managed' | 'Disabled'
}
export interface AzureMachineVmExtension {
  /**
   * The name of the extension, which is its type, such as CustomScript.
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
   * Settings that Azure encrypts. Everybody who may read this object can read them, so put no secrets here.
   */
  protectedSettings?: {
    [k: string]: string
  }
}
/**
 * The observed state, written by the provider. It is built again when the cluster is moved.
 */
export interface AzureMachineStatus {
  initialization?: AzureMachineInitialization
  /**
   * True where what was bought may be taken back. Cluster API then labels the Node cluster.x-k8s.io/interruptible.
   */
  interruptible?: boolean
  /**
   * What was really bought.
   */
  capacityType?: 'Spot' | 'OnDemand' | 'Reserved'
  /**
   * The resource group and the name of the virtual machine; no other ever has the same.
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
   * What is so, since when and why. Ready is Unknown while the machine comes up or waits, True while the instance runs, False when it will never serve (again); Cluster API shows it as the Machine's InfrastructureReady.
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
export interface AzureMachineAddress {
  /**
   * What kind of address it is, and from where it can be reached.
   */
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS'
  /**
   * The address itself.
   */
  address: string
}
