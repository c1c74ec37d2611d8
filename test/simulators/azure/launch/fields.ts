import { reference, structure, word } from '../http/fields.ts'
import {
  boolean,
  each,
  integer,
  kept,
  list,
  map,
  number,
  output,
  required,
  text,
  unplayed,
  type Values,
} from '../../kit/http/schema.ts'

const deleteOption = word('DiskDeleteOptionTypes', 'Delete', 'Detach')
const caching = word('CachingTypes', 'None', 'ReadOnly', 'ReadWrite')
const createOption = word('DiskCreateOptionTypes', 'FromImage', 'Empty', 'Attach', 'Copy', 'Restore')
const accountType = word(
  'StorageAccountTypes',
  ...(['Standard_LRS', 'Premium_LRS', 'StandardSSD_LRS', 'UltraSSD_LRS'] as const),
  ...(['Premium_ZRS', 'StandardSSD_ZRS', 'PremiumV2_LRS'] as const),
)

const managedDisk = structure('ManagedDiskParameters', {
  id: text,
  storageAccountType: accountType,
  diskEncryptionSet: reference,
  securityProfile: kept,
  additionalDiskProperties: unplayed,
})

const disk = {
  name: text,
  caching,
  writeAcceleratorEnabled: boolean,
  createOption: required(createOption),
  diskSizeGB: integer,
  managedDisk,
  deleteOption,
  ...each(unplayed, 'vhd image storageFaultDomainAlignment'),
}

const osDisk = structure('OSDisk', {
  ...disk,
  osType: word('OperatingSystemTypes', 'Linux', 'Windows'),
  encryptionSettings: unplayed,
  diffDiskSettings: structure('DiffDiskSettings', {
    option: word('DiffDiskOptions', 'Local'),
    placement: word('DiffDiskPlacement', 'CacheDisk', 'ResourceDisk', 'NvmeDisk'),
    enableFullCaching: boolean,
  }),
})

const dataDisk = structure('DataDisk', {
  ...disk,
  lun: required(integer),
  sourceResource: unplayed,
  toBeDetached: boolean,
  detachOption: unplayed,
  diskIOPSReadWrite: integer,
  diskMBpsReadWrite: integer,
})

const storageProfile = structure('StorageProfile', {
  imageReference: structure('ImageReference', {
    id: text,
    publisher: text,
    offer: text,
    sku: text,
    version: text,
    exactVersion: output,
    sharedGalleryImageId: text,
    communityGalleryImageId: text,
  }),
  osDisk,
  dataDisks: list(dataDisk),
  diskControllerType: word('DiskControllerTypes', 'SCSI', 'NVMe'),
  alignRegionalDisksToVMZone: boolean,
  diskApiVersion: text,
})

const linuxConfiguration = structure('LinuxConfiguration', {
  disablePasswordAuthentication: boolean,
  ssh: structure('SshConfiguration', {
    publicKeys: list(structure('SshPublicKey', { path: text, keyData: text })),
  }),
  provisionVMAgent: boolean,
  patchSettings: kept,
  enableVMAgentPlatformUpdates: boolean,
})

const osProfile = structure('OSProfile', {
  computerName: text,
  adminUsername: text,
  adminPassword: text,
  customData: text,
  windowsConfiguration: kept,
  linuxConfiguration,
  secrets: kept,
  allowExtensionOperations: boolean,
  requireGuestProvisionSignal: boolean,
})

const networkProfile = structure('NetworkProfile', {
  networkInterfaces: list(
    structure('NetworkInterfaceReference', {
      id: required(text),
      properties: structure('NetworkInterfaceReferenceProperties', { primary: boolean, deleteOption }),
    }),
  ),
  ...each(unplayed, 'networkApiVersion networkInterfaceConfigurations interconnectGroupProfile'),
})

const securityProfile = structure('SecurityProfile', {
  encryptionAtHost: boolean,
  securityType: word('SecurityTypes', 'Standard', 'TrustedLaunch', 'ConfidentialVM'),
  uefiSettings: structure('UefiSettings', { secureBootEnabled: boolean, vTpmEnabled: boolean }),
  encryptionIdentity: kept,
  proxyAgentSettings: kept,
})

const properties = structure('Properties', {
  hardwareProfile: required(
    structure('HardwareProfile', { vmSize: required(text), vmSizeProperties: unplayed, processorMode: unplayed }),
  ),
  storageProfile: required(storageProfile),
  osProfile,
  networkProfile: required(networkProfile),
  securityProfile,
  diagnosticsProfile: structure('DiagnosticsProfile', {
    bootDiagnostics: structure('BootDiagnostics', { enabled: boolean, storageUri: text }),
  }),
  additionalCapabilities: structure('AdditionalCapabilities', {
    ultraSSDEnabled: boolean,
    hibernationEnabled: boolean,
    enableFips1403Encryption: boolean,
  }),
  priority: word('VirtualMachinePriorityTypes', 'Regular', 'Low', 'Spot', 'SpotPlus'),
  evictionPolicy: word('VirtualMachineEvictionPolicyTypes', 'Deallocate', 'Delete'),
  billingProfile: structure('BillingProfile', { maxPrice: number }),
  capacityReservation: structure('CapacityReservationProfile', {
    capacityReservationGroup: reference,
    disableCapacityReservationAssignment: boolean,
  }),
  availabilitySet: reference,
  ...each(unplayed, 'virtualMachineScaleSet proximityPlacementGroup host hostGroup'),
  licenseType: text,
  extensionsTimeBudget: text,
  platformFaultDomain: unplayed,
  scheduledEventsProfile: kept,
  scheduledEventsPolicy: kept,
  userData: text,
  ...each(unplayed, 'applicationProfile interconnectBlockProfile resiliencyProfile'),
  ...each(output, 'provisioningState instanceView vmId timeCreated'),
})

/** What a PUT of a virtual machine may say. */
export const virtualMachineFields = {
  location: text,
  tags: map(text),
  zones: list(text),
  plan: kept,
  identity: structure('VirtualMachineIdentity', {
    type: word('ResourceIdentityType', 'SystemAssigned', 'UserAssigned', 'SystemAssigned, UserAssigned', 'None'),
    userAssignedIdentities: kept,
  }),
  extendedLocation: unplayed,
  placement: unplayed,
  properties: required(properties),
  ...each(output, 'id name type etag managedBy resources systemData'),
} as const

export type VirtualMachineValues = Values<typeof virtualMachineFields>
export type VirtualMachineProperties = VirtualMachineValues['properties']
