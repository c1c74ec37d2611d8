import type { MachineReason } from '../../api/reasons.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { LabCloudName } from '../lab/clouds/start.ts'

/** Something that the API server takes and that cannot be all the same; and what people are told of it. */
export interface BadInput {
  readonly because: string
  /** Other fields than a good machine has; undefined takes one away. */
  readonly machine?: object
  /** The same for the infrastructure cluster. */
  readonly cluster?: object
  /** The same for core's Machine. */
  readonly owner?: object
  readonly reason: MachineReason
  /** What the message has in it: the field, and what is wrong or what to do. */
  readonly says: readonly string[]
}

/** What is wrong in one cloud's kinds, beside what would be right there. */
export interface BadInputs {
  readonly cloud: LabCloudName
  readonly goodMachine: (cloud: LabCloud) => object
  readonly goodCluster: (cloud: LabCloud) => object
  readonly cases: readonly BadInput[]
  /** The bulk read, which goes on for ever. */
  readonly pollAction: string
  /** Variables of the manager's with a secret: each has the word canary in it. */
  readonly secrets: NodeJS.ProcessEnv
}

/** In every cloud alike; the Secrets are made by the test. */
export const bootstrapCases: readonly BadInput[] = [
  {
    because: 'the bootstrap Secret is not there',
    owner: { bootstrap: { dataSecretName: 'not-there' } },
    reason: 'WaitingForBootstrapData',
    says: ['Secret not-there', 'spec.bootstrap.dataSecretName of the Machine', 'does not exist'],
  },
  {
    because: 'the bootstrap Secret is empty',
    owner: { bootstrap: { dataSecretName: 'empty' } },
    reason: 'WaitingForBootstrapData',
    says: ['Secret empty', 'no key "value"', 'the bootstrap provider has to write it'],
  },
  {
    because: 'the bootstrap data is longer than any cloud takes',
    owner: { bootstrap: { dataSecretName: 'long' } },
    reason: 'InvalidConfiguration',
    says: ['bootstrap data', 'bytes'],
  },
]

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
    says: ['spec.additionalSecurityGroups[0].filters of the AWSMachine', 'name it by its id'],
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
    says: ['spec.instanceType of the AWSMachine', 'm5.humongous', 'take another'],
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

const aws: BadInputs = {
  cloud: 'aws',
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
  pollAction: 'DescribeInstances',
  secrets: { AWS_SECRET_ACCESS_KEY: 'secret-canary' },
}

/** One table a cloud. */
export const badInputs: readonly BadInputs[] = [aws]
