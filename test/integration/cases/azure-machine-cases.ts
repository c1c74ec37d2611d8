import type { Case } from './crd-cases.ts'
import { distributionCases } from './distribution-cases.ts'
import { fallbackCases } from './fallback-cases.ts'
import { azureUpstream } from './upstream-cases.ts'

const group = '/subscriptions/s/resourceGroups/g/providers'
const identity = `${group}/Microsoft.ManagedIdentity/userAssignedIdentities/i`
const reservation = `${group}/Microsoft.Compute/capacityReservationGroups/r`
const image = { id: `${group}/Microsoft.Compute/images/i` }
const gallery = { gallery: 'ClusterAPI-1', name: 'capi-ubun2-2404', version: '1.36.3' }
export const subscriptionID = '5be0c1a0-0000-4000-8000-000000000001'

/** The required fields only. */
export const azureMachine = { vmSize: 'Standard_D2s_v5', image }

export const tagCases: Case[] = [
  { because: 'a tag of 128 and 256 characters fits', spec: { additionalTags: { ['k'.repeat(128)]: 'v'.repeat(256) } } },
  ...['', 'k'.repeat(129), 'a/b', 'a\\b', 'a?', '<a', '50%'].map((key) => ({
    because: `"${key.slice(0, 5)}" is no key of a tag`,
    spec: { additionalTags: { [key]: '' } },
    says: 'spec.additionalTags: Invalid value: every key of additionalTags must have 1 to 128 characters and none of',
  })),
  {
    because: 'Azure takes two keys for one that differ in case only',
    spec: { additionalTags: { team: 'a', Team: 'b' } },
    says: 'spec.additionalTags: Invalid value: additionalTags cannot have two keys that differ only in case',
  },
  ...[
    'spot.cluster.x-k8s.io_owner-id',
    'Kubernetes.io_cluster_c1',
    'sigs.k8s.io_cluster-api-provider-azure_cluster_c1',
    'microsoft.x',
    'azure',
    'Windows',
  ].map((key) => ({
    because: `${key} is a controller's or Azure's`,
    spec: { additionalTags: { [key]: 'v' } },
    says: 'additionalTags cannot have keys that start with spot.cluster.x-k8s.io_, kubernetes.io_cluster_,',
  })),
]

const spotCases: Case[] = [
  { because: 'spot at the price of a regular machine', spec: { spotVMOptions: {} } },
  { because: 'the same, said', spec: { spotVMOptions: { maxPrice: '-1', evictionPolicy: 'Deallocate' } } },
  { because: 'five decimals', spec: { spotVMOptions: { maxPrice: '0.00001', evictionPolicy: 'Delete' } } },
  ...['0', '0.0', '-2', '0.000001', ' ', '1e3', '.5', 'banana', 0, -2].map((maxPrice) => ({
    because: `"${maxPrice}" is no price`,
    spec: { spotVMOptions: { maxPrice } },
    says: 'maxPrice must be US dollars per hour',
  })),
  {
    because: 'Azure can do no more than two things',
    spec: { spotVMOptions: { evictionPolicy: 'Stop' } },
    says: 'spec.spotVMOptions.evictionPolicy: Unsupported value',
  },
  { because: 'a reservation', spec: { capacityReservationGroupID: reservation } },
  {
    because: 'spot machines run in no reservation',
    spec: { capacityReservationGroupID: reservation, spotVMOptions: {} },
    says: 'spec.capacityReservationGroupID: Invalid value: capacityReservationGroupID excludes spotVMOptions',
  },
  {
    because: 'a reservation is named by its id',
    spec: { capacityReservationGroupID: 'r' },
    says: 'spec.capacityReservationGroupID in body should match',
  },
]

const imageCases: Case[] = [
  { because: 'the usual image', spec: { image: undefined } },
  {
    because: 'a version in a gallery',
    spec: { image: { id: `${group}/Microsoft.Compute/galleries/g/images/i/versions/1.0.0` } },
  },
  { because: 'a community gallery', spec: { image: { computeGallery: gallery } } },
  {
    because: 'a gallery of one’s own',
    spec: { image: { computeGallery: { ...gallery, subscriptionID, resourceGroup: 'g' } } },
  },
  {
    because: 'an image that is bought',
    spec: {
      image: { marketplace: { publisher: 'p', offer: 'o', sku: 's', version: 'latest', thirdPartyImage: true } },
    },
  },
  ...[{}, { ...image, computeGallery: gallery }].map((given) => ({
    because: `an image is named in one way, not in ${Object.keys(given).length}`,
    spec: { image: given },
    says: 'spec.image: Invalid value: image needs one of id',
  })),
  {
    because: 'half a gallery',
    spec: { image: { computeGallery: { ...gallery, subscriptionID } } },
    says: 'spec.image.computeGallery: Invalid value: computeGallery needs both subscriptionID and resourceGroup',
  },
  { because: 'an AMI is no image', spec: { image: { id: 'ami-1' } }, says: 'spec.image.id in body should match' },
]

const local = { diffDiskSettings: { option: 'Local', placement: 'CacheDisk' } }

const diskCases: Case[] = [
  {
    because: 'all that a disk can have',
    spec: {
      osDisk: {
        osType: 'Linux',
        diskSizeGB: 64,
        cachingType: 'ReadWrite',
        managedDisk: { storageAccountType: 'Premium_LRS' },
      },
    },
  },
  { because: 'a disk on the host', spec: { osDisk: local } },
  { because: 'spot with a disk on the host', spec: { osDisk: local, spotVMOptions: {} } },
  {
    because: 'a disk on the host does not outlive a deallocation',
    spec: { osDisk: local, spotVMOptions: { evictionPolicy: 'Deallocate' } },
    says: 'spec.spotVMOptions.evictionPolicy: Invalid value: spotVMOptions.evictionPolicy must be Delete with an ephemeral',
  },
  {
    because: 'a disk on the host is only read from the cache',
    spec: { osDisk: { ...local, cachingType: 'None' } },
    says: 'spec.osDisk.cachingType: Invalid value: cachingType must be ReadOnly on an ephemeral disk',
  },
  {
    because: 'a disk on the host has no kind',
    spec: { osDisk: { ...local, managedDisk: { storageAccountType: 'Premium_LRS' } } },
    says: 'spec.osDisk.managedDisk.storageAccountType: Invalid value: storageAccountType can only be Standard_LRS on an ephemeral disk (diffDiskSettings)',
  },
  {
    because: 'Windows is not supported',
    spec: { osDisk: { osType: 'Windows' } },
    says: 'osDisk.osType can only be Linux',
  },
  { because: 'further disks', spec: { dataDisks: ['a', 'b'].map((nameSuffix) => ({ nameSuffix, diskSizeGB: 4 })) } },
  {
    because: 'two disks have two names',
    spec: { dataDisks: [4, 5].map((diskSizeGB) => ({ nameSuffix: 'a', diskSizeGB })) },
    says: 'spec.dataDisks[1]: Duplicate value',
  },
  {
    because: 'a name is taken',
    spec: { dataDisks: [{ nameSuffix: 'osdisk', diskSizeGB: 4 }] },
    says: 'nameSuffix cannot be OSDisk',
  },
  {
    because: 'two disks at one place',
    spec: { dataDisks: ['a', 'b'].map((nameSuffix) => ({ nameSuffix, diskSizeGB: 4, lun: 1 })) },
    says: 'spec.dataDisks: Invalid value: two dataDisks cannot have the same lun',
  },
  {
    because: 'one disk has a place and the other none',
    spec: {
      dataDisks: [
        { nameSuffix: 'a', diskSizeGB: 4, lun: 0 },
        { nameSuffix: 'b', diskSizeGB: 4 },
      ],
    },
    says: 'spec.dataDisks: Invalid value: either all dataDisks need a lun or none',
  },
]

const networkCases: Case[] = [
  {
    because: 'all that an interface can have',
    spec: {
      networkInterfaces: [{ subnetName: 'n', privateIPConfigs: 30, acceleratedNetworking: true }],
      enableIPForwarding: true,
    },
  },
  { because: 'the older way', spec: { subnetName: 'n', acceleratedNetworking: false } },
  ...[{ subnetName: 'n' }, { acceleratedNetworking: true }].map((older) => ({
    because: `both ways: ${Object.keys(older)[0]}`,
    spec: { networkInterfaces: [{}], ...older },
    says: 'spec.networkInterfaces: Invalid value: networkInterfaces exclude the older fields subnetName and acceleratedNetworking',
  })),
  {
    because: 'there is one interface',
    spec: { networkInterfaces: [{}, {}] },
    says: 'spec.networkInterfaces: Too many: 2: must have at most 1 item',
  },
  { because: 'no public address', spec: { allocatePublicIP: false } },
  {
    because: 'public addresses are not made',
    spec: { allocatePublicIP: true },
    says: 'allocatePublicIP can only be false',
  },
]

const optionCases: Case[] = [
  {
    because: 'an identity',
    spec: { identity: 'UserAssigned', userAssignedIdentities: [{ providerID: `azure://${identity}` }] },
  },
  {
    because: 'an identity is named',
    spec: { identity: 'UserAssigned' },
    says: 'spec.userAssignedIdentities: Invalid value: identity UserAssigned needs userAssignedIdentities',
  },
  ...[{}, { identity: 'SystemAssigned' }].map((given) => ({
    because: `identities are not for ${JSON.stringify(given)}`,
    spec: { ...given, userAssignedIdentities: [{ providerID: identity }] },
    says: 'spec.userAssignedIdentities: Invalid value: userAssignedIdentities need identity UserAssigned',
  })),
  {
    because: 'a guarded boot',
    spec: {
      securityProfile: { encryptionAtHost: true, securityType: 'TrustedLaunch', uefiSettings: { vTpmEnabled: true } },
    },
  },
  {
    because: 'settings of what is not on',
    spec: { securityProfile: { uefiSettings: { vTpmEnabled: true } } },
    says: 'spec.securityProfile.uefiSettings: Invalid value: uefiSettings need securityType TrustedLaunch',
  },
  { because: 'nothing is kept of the boot', spec: { diagnostics: { boot: { storageAccountType: 'Disabled' } } } },
  { because: 'a key', spec: { sshPublicKey: 'c3NoLXJzYSBBQUFB' } },
  { because: 'a key as it is', spec: { sshPublicKey: 'ssh-rsa AAAA' }, says: 'spec.sshPublicKey in body should match' },
]

const fallback: Case[] = [
  ...fallbackCases({
    types: 'vmSizes',
    good: ['Standard_D2as_v5', 'Standard_D2s_v5'],
    badType: 'Standard D2s',
    zones: ['1', 'regional', '3'],
    badZone: 'westeurope-1',
  }),
  {
    because: 'spot may follow a reservation',
    spec: { capacityReservationGroupID: reservation, fallback: [{ capacityType: 'Spot' }] },
  },
  ...distributionCases({
    spot: { spotVMOptions: {} },
    reserved: { capacityReservationGroupID: reservation },
    types: { vmSizes: ['Standard_D2as_v5'] },
  }),
]

export const azureMachineCases: Case[] = [
  ...fallback,
  { because: 'no more than a size is needed', spec: {} },
  { because: 'the size is missing', spec: { vmSize: undefined }, says: 'spec.vmSize: Required value' },
  ...spotCases,
  ...imageCases,
  ...diskCases,
  ...networkCases,
  ...optionCases,
  ...tagCases,
  ...azureUpstream,
]

/** Another value for every field of a machine: none may change. */
export const azureFull = {
  ...azureMachine,
  osDisk: { diskSizeGB: 64 },
  dataDisks: [{ nameSuffix: 'a', diskSizeGB: 4 }],
  sshPublicKey: 'AAAA',
  spotVMOptions: { maxPrice: '0.05' },
  vmExtensions: [{ name: 'CustomScript', publisher: 'p', version: '2.1' }],
  identity: 'UserAssigned',
  userAssignedIdentities: [{ providerID: identity }],
  subnetName: 'a',
  acceleratedNetworking: true,
  enableIPForwarding: true,
  allocatePublicIP: false,
  dnsServers: ['10.0.0.1'],
  securityProfile: { encryptionAtHost: true },
  diagnostics: { boot: { storageAccountType: 'Managed' } },
  additionalTags: { team: 'batch' },
  fallback: [{ capacityType: 'OnDemand' }],
  distribution: { onDemandBase: 1 },
}
export const azureOthers: Readonly<Record<string, unknown>> = {
  vmSize: 'Standard_D4s_v5',
  image: { computeGallery: gallery },
  osDisk: { diskSizeGB: 65 },
  dataDisks: [{ nameSuffix: 'b', diskSizeGB: 4 }],
  sshPublicKey: 'BBBB',
  spotVMOptions: { maxPrice: '0.06' },
  vmExtensions: [{ name: 'CustomScript', publisher: 'p', version: '2.2' }],
  identity: 'None',
  userAssignedIdentities: [{ providerID: `${identity}2` }],
  subnetName: 'b',
  acceleratedNetworking: false,
  enableIPForwarding: false,
  allocatePublicIP: null,
  dnsServers: ['10.0.0.2'],
  securityProfile: { encryptionAtHost: false },
  diagnostics: { boot: { storageAccountType: 'Disabled' } },
  additionalTags: { team: 'web' },
  fallback: [{ capacityType: 'OnDemand', after: '10m' }],
  distribution: { onDemandBase: 2 },
}
