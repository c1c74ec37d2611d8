import type { BadInput, BadInputs } from './bad-input-cases.ts'

const filters = [{ name: 'tag:for', values: ['nobody'] }]
const unknown = (prefix: string) => `${prefix}-0bad0000000000000`

const placeCases: readonly BadInput[] = [
  {
    because: 'the machine’s subnet does not exist',
    machine: { subnet: { id: unknown('subnet') } },
    reason: 'InvalidConfiguration',
    says: ['spec.subnet of the AWSMachine', 'correct it'],
  },
  {
    because: 'the machine’s subnet is found by nothing',
    machine: { subnet: { filters } },
    reason: 'InvalidConfiguration',
    says: ['spec.subnet of the AWSMachine', 'correct it'],
  },
  {
    because: 'subnets are looked for by a filter that EC2 does not know',
    machine: { subnet: { filters: [{ name: 'colour', values: ['red'] }] } },
    reason: 'InvalidConfiguration',
    says: ['spec.subnet of the AWSMachine', 'colour'],
  },
  {
    because: 'the cluster’s subnet does not exist, and its zone is given',
    cluster: { network: { subnets: [{ id: unknown('subnet'), availabilityZone: 'us-east-1a' }] } },
    reason: 'InvalidConfiguration',
    says: ['spec.network.subnets of the AWSCluster', unknown('subnet')],
  },
  {
    because: 'the cluster has no subnet',
    cluster: { network: {} },
    reason: 'InvalidConfiguration',
    says: ['spec.network.subnets of the AWSCluster', 'set spec.subnet of the AWSMachine'],
    mend: { cluster: { network: { subnets: [{ id: 'subnet-0c1a0000000000010' }] } } },
  },
  {
    because: 'no subnet is in the failure domain',
    owner: { failureDomain: 'us-east-1c' },
    reason: 'InvalidConfiguration',
    says: ['us-east-1c', 'failure domain', 'spec.network.subnets of the AWSCluster'],
  },
  {
    because: 'no subnet is public',
    machine: { publicIP: true },
    reason: 'InvalidConfiguration',
    says: ['spec.publicIP of the AWSMachine', 'isPublic'],
  },
  {
    because: 'the machine’s security group does not exist',
    machine: { additionalSecurityGroups: [{ id: unknown('sg') }] },
    reason: 'InvalidConfiguration',
    says: ['spec.additionalSecurityGroups of the AWSMachine', unknown('sg')],
  },
  {
    because: 'the machine’s security group is found by nothing',
    machine: { additionalSecurityGroups: [{ filters }] },
    reason: 'InvalidConfiguration',
    says: ['spec.additionalSecurityGroups[0].filters of the AWSMachine', 'set the id'],
  },
  {
    because: 'the placement group does not exist',
    machine: { placementGroupName: 'nowhere' },
    reason: 'InvalidConfiguration',
    says: ['spec.placementGroupName of the AWSMachine', 'nowhere'],
  },
]

const imageCases: readonly BadInput[] = [
  {
    because: 'the image does not exist',
    machine: { ami: { id: unknown('ami') } },
    reason: 'InvalidConfiguration',
    says: ['spec.ami.id of the AWSMachine', unknown('ami')],
  },
  {
    because: 'the image does not exist, and its root volume is to be larger',
    machine: { ami: { id: unknown('ami') }, rootVolume: { size: 50 } },
    reason: 'InvalidConfiguration',
    says: ['spec.ami.id of the AWSMachine', unknown('ami')],
  },
  {
    because: 'no image is called like that',
    machine: { ami: undefined, imageLookupFormat: 'nothing-*' },
    reason: 'InvalidConfiguration',
    says: ['nothing-*', 'Set spec.ami.id of the AWSMachine', 'imageLookupFormat'],
  },
  {
    because: 'the image is of another architecture',
    machine: { instanceType: 'm6g.large' },
    reason: 'InvalidConfiguration',
    says: ['spec.instanceType', 'spec.ami', 'architecture'],
  },
]

const marketCases: readonly BadInput[] = [
  {
    because: 'the type does not exist',
    machine: { instanceType: 'm5.humongous' },
    reason: 'InvalidConfiguration',
    says: ['spec.instanceType of the AWSMachine', 'm5.humongous'],
  },
  {
    because: 'the type does not exist, and the image is looked up for it',
    machine: { instanceType: 'm5.humongous', ami: undefined },
    reason: 'InvalidConfiguration',
    says: ['spec.instanceType of the AWSMachine', 'm5.humongous', 'use another'],
  },
  {
    because: 'the price is too low',
    machine: { spotMarketOptions: { maxPrice: '0.002' } },
    reason: 'MaxPriceTooLow',
    says: ['spec.spotMarketOptions.maxPrice of the AWSMachine', '0.002', 'Raise the maximum price'],
  },
  {
    because: 'the reservation does not exist',
    machine: { spotMarketOptions: undefined, capacityReservationId: unknown('cr') },
    reason: 'ReservationUnavailable',
    says: ['spec.capacityReservationId of the AWSMachine', unknown('cr')],
  },
]

const machineCases: readonly BadInput[] = [
  {
    because: 'the key does not exist',
    machine: { sshKeyName: 'lost' },
    reason: 'InvalidConfiguration',
    says: ['spec.sshKeyName', "'lost'"],
  },
  {
    because: 'the profile does not exist',
    machine: { iamInstanceProfile: 'nobody' },
    reason: 'InvalidConfiguration',
    says: ['spec.iamInstanceProfile of the AWSMachine', 'nobody'],
  },
  {
    because: 'the root volume is larger than there are',
    machine: { rootVolume: { size: 16_385, type: 'gp2' } },
    reason: 'InvalidConfiguration',
    says: ['spec.rootVolume', '16385'],
  },
  {
    because: 'the root volume is another device than the image’s',
    machine: { rootVolume: { size: 50, deviceName: '/dev/xvdz' } },
    reason: 'InvalidConfiguration',
    says: ['spec.rootVolume.deviceName of the AWSMachine', 'leave deviceName out'],
  },
  {
    because: 'a volume has more iops than there are',
    machine: { nonRootVolumes: [{ deviceName: '/dev/sdf', size: 8, type: 'gp3', iops: 100_000 }] },
    reason: 'InvalidConfiguration',
    says: ['spec.nonRootVolumes', 'iops'],
  },
]

export const awsBadInputs: BadInputs = {
  goodMachine: ({ values }) => ({
    instanceType: 'm5.large',
    ami: { id: values['AWS_AMI_ID'] },
    spotMarketOptions: {},
  }),
  goodCluster: ({ values }) => ({
    region: values['AWS_REGION'],
    network: {
      vpc: { id: values['AWS_VPC_ID'] },
      subnets: [{ id: values['AWS_SUBNET_ID'], availabilityZone: values['AWS_AVAILABILITY_ZONE'] }],
    },
  }),
  cases: [...placeCases, ...imageCases, ...marketCases, ...machineCases],
  createActions: ['RunInstances'],
}
