import type { BadInput, BadInputs } from './bad-input-cases.ts'

const subscription = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/lost/providers'
const lost = (type: string) => `${subscription}/${type}/lost`
const invalid = 'InvalidConfiguration'

const placeCases: readonly BadInput[] = [
  {
    because: 'the resource group does not exist',
    cluster: { resourceGroup: 'lost' },
    reason: invalid,
    says: ['spec.resourceGroup of the AzureCluster', "'lost'"],
  },
  {
    because: 'Azure has no such location',
    cluster: { location: 'moonbase1' },
    reason: invalid,
    says: ['spec.location of the AzureCluster', "'moonbase1'"],
  },
  {
    because: 'the network does not exist',
    cluster: { networkSpec: { vnet: { name: 'lost' }, subnets: [{ name: 'nodes', role: 'node' }] } },
    reason: invalid,
    says: ['spec.networkSpec of the AzureCluster', 'virtualNetworks/lost'],
  },
  {
    because: 'the cluster has no subnet for nodes',
    cluster: { networkSpec: { vnet: { name: 'spot' }, subnets: [{ name: 'nodes', role: 'bastion' }] } },
    reason: invalid,
    says: ['spec.networkSpec.subnets of the AzureCluster', 'add one', 'spec.networkInterfaces of the AzureMachine'],
    mend: { cluster: { networkSpec: { subnets: [{ name: 'nodes', role: 'node' }] } } },
  },
  {
    because: 'the machine’s subnet does not exist',
    machine: { networkInterfaces: [{ subnetName: 'lost' }] },
    reason: invalid,
    says: ['spec.networkInterfaces, spec.subnetName of the AzureMachine', 'subnets/lost'],
  },
  {
    because: 'the failure domain is no zone of Azure’s',
    owner: { failureDomain: 'westus2-1' },
    reason: invalid,
    says: ['spec.failureDomain of the Machine', 'westus2-1', 'Correct it'],
    mend: { owner: { failureDomain: '1' } },
  },
  {
    because: 'the location has no such zone',
    owner: { failureDomain: '9' },
    reason: invalid,
    says: ['spec.failureDomain of the Machine', "'9'"],
  },
  {
    because: 'a name server is no address',
    machine: { dnsServers: ['10.0.0.10', 'ns.example.com'] },
    reason: invalid,
    says: ['spec.dnsServers of the AzureMachine', 'ns.example.com'],
  },
]

const imageCases: readonly BadInput[] = [
  {
    because: 'the image of the gallery does not exist',
    machine: { image: { id: `${lost('Microsoft.Compute/galleries')}/images/lost/versions/1.0.0` } },
    reason: invalid,
    says: ['spec.image of the AzureMachine', 'images/lost'],
  },
  {
    because: 'the image does not exist',
    machine: { image: { id: lost('Microsoft.Compute/images') } },
    reason: invalid,
    says: ['spec.image of the AzureMachine', 'images/lost'],
  },
  {
    because: 'the community has no such gallery',
    machine: { image: { computeGallery: { gallery: 'lost', name: 'ubuntu', version: 'latest' } } },
    reason: invalid,
    says: ['spec.image of the AzureMachine', 'CommunityGalleries/lost'],
  },
  {
    because: 'the marketplace has no such image',
    machine: { image: { marketplace: { publisher: 'Canonical', offer: 'lost', sku: 'server', version: 'latest' } } },
    reason: invalid,
    says: ['spec.image of the AzureMachine', 'Canonical:lost:server:latest'],
  },
  {
    because: 'there is no usual image for the version',
    machine: { image: undefined },
    reason: invalid,
    says: ['spec.image of the AzureMachine', '1.33.0'],
  },
  {
    because: 'there is no image and no version',
    machine: { image: undefined },
    owner: { version: undefined },
    reason: invalid,
    says: ['set spec.image of the AzureMachine', 'spec.version of the Machine'],
  },
  {
    because: 'the image is of another architecture',
    machine: { vmSize: 'Standard_D2ps_v5' },
    reason: invalid,
    says: ['spec.vmSize, spec.image of the AzureMachine', 'Architecture'],
  },
]

const marketCases: readonly BadInput[] = [
  {
    because: 'the size does not exist',
    machine: { vmSize: 'Standard_Humongous' },
    reason: invalid,
    says: ['spec.vmSize of the AzureMachine', 'Standard_Humongous'],
  },
  {
    because: 'the size is not to be had as spot',
    machine: { vmSize: 'Standard_B2s' },
    reason: invalid,
    says: ['spec.vmSize, spec.spotVMOptions of the AzureMachine', 'Standard_B2s'],
  },
  {
    because: 'the price is too low',
    machine: { spotVMOptions: { maxPrice: '0.0001' } },
    reason: 'MaxPriceTooLow',
    says: ['spec.spotVMOptions.maxPrice of the AzureMachine', '0.0001', 'Raise the maximum price'],
  },
  {
    because: 'the reservation does not exist',
    machine: {
      spotVMOptions: undefined,
      capacityReservationGroupID: lost('Microsoft.Compute/capacityReservationGroups'),
    },
    reason: invalid,
    says: ['spec.capacityReservationGroupID of the AzureMachine', 'capacityReservationGroups/lost'],
  },
]

const machineCases: readonly BadInput[] = [
  {
    because: 'the key is none',
    machine: { sshPublicKey: 'bm90IGEga2V5' },
    reason: invalid,
    says: ['spec.sshPublicKey of the AzureMachine', 'encode one line of authorized_keys'],
  },
  {
    because: 'the identity does not exist',
    machine: {
      identity: 'UserAssigned',
      userAssignedIdentities: [{ providerID: lost('Microsoft.ManagedIdentity/userAssignedIdentities') }],
    },
    reason: invalid,
    says: ['spec.userAssignedIdentities of the AzureMachine', 'userAssignedIdentities/lost'],
  },
  {
    because: 'the disk is smaller than the image',
    machine: { osDisk: { diskSizeGB: 10 } },
    reason: invalid,
    says: ['spec.osDisk of the AzureMachine', '10 GB'],
  },
  {
    because: 'the size has no place for an ephemeral disk',
    machine: { osDisk: { diffDiskSettings: { option: 'Local' } } },
    reason: invalid,
    says: ['spec.osDisk of the AzureMachine', 'Standard_D2s_v5'],
  },
  {
    because: 'the size takes fewer disks',
    machine: { dataDisks: ['a', 'b', 'c', 'd', 'e'].map((nameSuffix) => ({ nameSuffix, diskSizeGB: 4 })) },
    reason: invalid,
    says: ['spec.dataDisks of the AzureMachine', 'maximum number of data disks'],
  },
  {
    because: 'the size cannot go past the host’s switch',
    machine: { vmSize: 'Standard_B2s', spotVMOptions: undefined, networkInterfaces: [{ acceleratedNetworking: true }] },
    reason: invalid,
    says: ['spec.networkInterfaces, spec.acceleratedNetworking, spec.vmSize of the AzureMachine', 'Standard_B2s'],
  },
  {
    because: 'the subscription does not encrypt at the host',
    machine: { securityProfile: { encryptionAtHost: true } },
    reason: invalid,
    says: ['spec.securityProfile of the AzureMachine', 'EncryptionAtHost'],
  },
  {
    because: 'tags of machine and cluster differ only in capitals',
    machine: { additionalTags: { Team: 'batch' } },
    cluster: { additionalTags: { team: 'batch' } },
    reason: invalid,
    says: ['spec.additionalTags of the AzureMachine', 'spec.additionalTags of the AzureCluster', 'eam'],
  },
]

export const azureBadInputs: BadInputs = {
  goodMachine: ({ values }) => ({
    vmSize: 'Standard_D2s_v5',
    image: { id: values['AZURE_IMAGE_ID'] },
    spotVMOptions: {},
  }),
  goodCluster: ({ values }) => ({
    subscriptionID: values['AZURE_SUBSCRIPTION_ID'],
    resourceGroup: values['AZURE_RESOURCE_GROUP'],
    location: values['AZURE_LOCATION'],
    networkSpec: {
      vnet: { name: values['AZURE_VNET_NAME'] },
      subnets: [{ name: values['AZURE_SUBNET_NAME'], role: 'node' }],
    },
  }),
  cases: [...placeCases, ...imageCases, ...marketCases, ...machineCases],
  createActions: ['VirtualMachines_CreateOrUpdate', 'NetworkInterfaces_CreateOrUpdate'],
}
