import type { BadInput, BadInputs } from './bad-input-cases.ts'

const invalid = 'InvalidConfiguration'
/** Ids of the right form that do not exist. */
const regional = 'r006-5b07c1a0-0000-4000-8000-0000000000ff'
const zonal = '0717-5b07c1a0-0000-4000-8000-0000000000ff'
/** A subnet and a security group of another VPC. */
const other = {
  subnet: '0717-5b07c1a0-0000-4000-8000-000000000022',
  group: 'r006-5b07c1a0-0000-4000-8000-000000000034',
}
const ours = '0717-5b07c1a0-0000-4000-8000-000000000021'

const placeCases: readonly BadInput[] = [
  {
    because: 'the resource group does not exist',
    cluster: { resourceGroup: 'f'.repeat(32) },
    reason: invalid,
    says: ['spec.resourceGroup of the IBMCluster', 'ffffffff'],
  },
  {
    because: 'the VPC does not exist',
    cluster: { network: { vpc: { id: regional }, workerSubnets: [{ id: ours, zone: 'us-south-1' }] } },
    reason: invalid,
    says: ['spec.network.vpc of the IBMCluster', regional],
  },
  {
    because: 'the cluster has no subnet',
    cluster: { network: {} },
    reason: invalid,
    says: ['spec.network.workerSubnets of the IBMCluster', 'set spec.primaryNetworkInterface.subnet of the IBMMachine'],
    mend: { cluster: { network: { workerSubnets: [{ id: ours }] } } },
  },
  {
    because: 'the cluster’s subnet does not exist',
    cluster: { network: { workerSubnets: [{ id: zonal }] } },
    reason: invalid,
    says: ['spec.network.workerSubnets of the IBMCluster', zonal, 'correct it'],
  },
  {
    because: 'the cluster’s subnet does not exist, and its zone is given',
    cluster: { network: { workerSubnets: [{ id: zonal, zone: 'us-south-1' }] } },
    reason: invalid,
    says: ['spec.network.workerSubnets of the IBMCluster', zonal],
  },
  {
    because: 'the cluster’s subnet is in another zone than it says',
    cluster: { network: { workerSubnets: [{ id: ours, zone: 'us-south-2' }] } },
    reason: invalid,
    says: ['spec.network.workerSubnets of the IBMCluster', 'us-south-2'],
  },
  {
    because: 'the machine’s subnet does not exist',
    machine: { primaryNetworkInterface: { subnet: zonal } },
    reason: invalid,
    says: ['spec.primaryNetworkInterface.subnet of the IBMMachine', zonal, 'correct it'],
  },
  {
    because: 'the machine’s subnet is in another VPC',
    machine: { primaryNetworkInterface: { subnet: other.subnet } },
    reason: invalid,
    says: ['spec.primaryNetworkInterface.subnet of the IBMMachine', 'spec.network.vpc.id of the IBMCluster'],
  },
  {
    because: 'no subnet is in the failure domain',
    owner: { failureDomain: 'us-south-3' },
    reason: invalid,
    says: ['us-south-3', 'failure domain', 'spec.network.workerSubnets of the IBMCluster'],
    mend: { owner: { failureDomain: 'us-south-1' } },
  },
  {
    because: 'the machine’s security group does not exist',
    machine: { primaryNetworkInterface: { securityGroups: [{ id: regional }] } },
    reason: invalid,
    says: ['spec.primaryNetworkInterface.securityGroups of the IBMMachine', regional],
  },
  {
    because: 'no security group is named like that',
    machine: { primaryNetworkInterface: { securityGroups: [{ name: 'lost' }] } },
    reason: invalid,
    says: ['spec.primaryNetworkInterface.securityGroups of the IBMMachine', 'lost', 'use the id'],
  },
  {
    because: 'the security group is in another VPC',
    machine: { primaryNetworkInterface: { securityGroups: [{ id: other.group }] } },
    reason: invalid,
    says: ['spec.network of the IBMCluster', 'another VPC'],
  },
  {
    because: 'the placement group does not exist',
    machine: { placementTarget: { placementGroup: { id: regional } } },
    reason: invalid,
    says: ['spec.placementTarget of the IBMMachine', regional],
  },
  {
    because: 'the dedicated host does not exist',
    machine: { availability: { class: 'standard' }, placementTarget: { dedicatedHost: { id: zonal } } },
    reason: invalid,
    says: ['spec.placementTarget of the IBMMachine', zonal],
  },
]

const imageCases: readonly BadInput[] = [
  {
    because: 'the image does not exist',
    machine: { image: { id: regional } },
    reason: invalid,
    says: ['spec.image of the IBMMachine', regional],
  },
  {
    because: 'no image is named like that',
    machine: { image: { name: 'lost' } },
    reason: invalid,
    says: ['spec.image.name of the IBMMachine', 'lost', 'correct it'],
  },
  {
    because: 'the image cannot be used any more',
    machine: { image: { name: 'obsolete' } },
    reason: invalid,
    says: ['spec.image.name of the IBMMachine', 'obsolete', 'use another'],
  },
  {
    because: 'the image is of another architecture',
    machine: { image: { id: 'r006-5b07c1a0-0000-4000-8000-000000000043' } },
    reason: invalid,
    says: ['spec.profile, spec.image of the IBMMachine', 's390x'],
  },
]

const marketCases: readonly BadInput[] = [
  {
    because: 'the profile does not exist',
    machine: { profile: 'bxf-999x9' },
    reason: invalid,
    says: ['spec.profile of the IBMMachine', 'bxf-999x9', 'use another'],
  },
  {
    because: 'the profile is not sold as spot',
    machine: { profile: 'bx2-2x8' },
    reason: invalid,
    says: ['spec.availability.class of the IBMMachine', 'bx2-2x8', 'Use a profile that supports spot'],
  },
  {
    because: 'the reservation does not exist',
    machine: {
      availability: { class: 'standard' },
      reservationAffinity: { policy: 'manual', pool: [{ id: zonal }] },
    },
    reason: invalid,
    says: ['spec.reservationAffinity of the IBMMachine', zonal],
  },
]

const machineCases: readonly BadInput[] = [
  {
    because: 'the key does not exist',
    machine: { sshKeys: [{ id: regional }] },
    reason: invalid,
    says: ['spec.sshKeys of the IBMMachine', regional],
  },
  {
    because: 'no key is named like that',
    machine: { sshKeys: [{ name: 'lost' }] },
    reason: invalid,
    says: ['spec.sshKeys of the IBMMachine', 'lost', 'correct it'],
  },
  {
    because: 'the disk is smaller than the image',
    machine: { image: { name: 'ibm-ubuntu-24-04-3-minimal-amd64-1' }, bootVolume: { sizeGiB: 20 } },
    reason: invalid,
    says: ['spec.bootVolume of the IBMMachine', '100 GB'],
  },
  {
    because: 'the key of the disk does not exist',
    machine: { bootVolume: { encryptionKeyCRN: 'crn:v1:bluemix:public:kms:us-south:a/1:2:key:lost' } },
    reason: invalid,
    says: ['spec.bootVolume.encryptionKeyCRN of the IBMMachine', 'encryption_key'],
  },
]

export const ibmBadInputs: BadInputs = {
  goodMachine: ({ values }) => ({
    profile: 'bxf-2x8',
    image: { id: values['IBM_IMAGE_ID'] },
    availability: { class: 'spot' },
  }),
  goodCluster: ({ values }) => ({
    region: values['IBM_REGION'],
    resourceGroup: values['IBM_RESOURCE_GROUP_ID'],
    network: {
      vpc: { id: values['IBM_VPC_ID'] },
      workerSubnets: [{ id: values['IBM_SUBNET_ID'], zone: values['IBM_ZONE'] }],
    },
  }),
  cases: [...placeCases, ...imageCases, ...marketCases, ...machineCases],
  createActions: ['create_instance'],
}
