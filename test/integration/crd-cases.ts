/** A spec on one side or the other of a rule. */
export interface Case {
  because: string
  spec: object
  /** What the apiserver says; undefined: it accepts. */
  says?: string
}

/** No more than has to be there. */
export const machine = { instanceType: 'm5.large', ami: { id: 'ami-0123456789abcdef0' } }
export const cluster = { region: 'eu-west-1' }

const tagCases: Case[] = [
  { because: 'a tag of 128 and 256 characters fits', spec: { additionalTags: { ['k'.repeat(128)]: 'v'.repeat(256) } } },
  {
    because: 'a key is too long',
    spec: { additionalTags: { ['k'.repeat(129)]: '' } },
    says: 'spec.additionalTags: Invalid value: every key of additionalTags must have 1 to 128 characters',
  },
  {
    because: 'a key is empty',
    spec: { additionalTags: { '': 'v' } },
    says: 'every key of additionalTags must have 1 to 128 characters',
  },
  {
    because: 'a value is too long',
    spec: { additionalTags: { k: 'v'.repeat(257) } },
    says: 'spec.additionalTags.k: Too long',
  },
  {
    because: 'there are 21 tags',
    spec: { additionalTags: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ''])) },
    says: 'spec.additionalTags: Too many: 21: must have at most 20 items',
  },
  { because: 'a key only looks like one of AWS', spec: { additionalTags: { 'x-aws:k': 'v' } } },
  {
    because: 'a key is of AWS, however it is written',
    spec: { additionalTags: { 'Aws:k': 'v' } },
    says: 'additionalTags cannot have keys that start with "aws:"',
  },
  ...[
    'spot.cluster.x-k8s.io/owner-id',
    'kubernetes.io/cluster/c1',
    'sigs.k8s.io/cluster-api-provider-aws/cluster/c1',
  ].map((key) => ({
    because: `${key} is a controller's`,
    spec: { additionalTags: { [key]: 'v' } },
    says: 'additionalTags cannot have keys that start with spot.cluster.x-k8s.io/, kubernetes.io/cluster/ or',
  })),
]

export const machineCases: Case[] = [
  { because: 'no more than type and image is needed', spec: {} },
  { because: 'the image is missing', spec: { ami: undefined }, says: 'spec.ami: Required value' },
  { because: 'the type is missing', spec: { instanceType: undefined }, says: 'spec.instanceType: Required value' },
  { because: 'the type is none', spec: { instanceType: 'large' }, says: 'spec.instanceType in body should match' },
  { because: 'metal has a dash', spec: { instanceType: 'u-6tb1.112xlarge' } },
  { because: 'spot has no maximum price of its own', spec: { marketType: 'Spot' } },
  { because: 'spot at the on-demand price', spec: { spotMarketOptions: {} } },
  { because: 'spot, said twice', spec: { marketType: 'Spot', spotMarketOptions: { maxPrice: '0.05' } } },
  {
    because: 'on-demand and spot exclude each other',
    spec: { marketType: 'OnDemand', spotMarketOptions: {} },
    says: 'spec.spotMarketOptions: Invalid value: spotMarketOptions asks for spot while marketType is OnDemand',
  },
  {
    because: 'EC2 knows more market types than we',
    spec: { marketType: 'CapacityBlock' },
    says: 'spec.marketType: Unsupported value',
  },
  { because: 'the least price', spec: { spotMarketOptions: { maxPrice: '0.0011' } } },
  ...['0.001', '0', '-1', 'banana', '', '1e3', '.5'].map((maxPrice) => ({
    because: `"${maxPrice}" is no price`,
    spec: { spotMarketOptions: { maxPrice } },
    says: 'maxPrice must be US dollars an hour, above 0.001 and written like "0.05"',
  })),
  {
    because: 'an id is of another thing',
    spec: { subnet: { id: 'vpc-0123' } },
    says: 'spec.subnet.id in body should match',
  },
  {
    because: 'CAPA finds subnets by filters, we do not',
    spec: { subnet: { filters: [{ name: 'tag:x', values: ['y'] }] } },
    says: 'spec.subnet.id: Required value',
  },
  {
    because: 'a security group stands there twice',
    spec: { additionalSecurityGroups: [{ id: 'sg-1' }, { id: 'sg-1' }] },
    says: 'spec.additionalSecurityGroups[1]: Duplicate value',
  },
  {
    because: 'a profile is named, not its ARN',
    spec: { iamInstanceProfile: 'arn:aws:iam::1:instance-profile/x' },
    says: 'spec.iamInstanceProfile in body should match',
  },
  { because: 'an empty key name means none', spec: { sshKeyName: '' } },
  {
    because: 'all that gp3 can have',
    spec: {
      rootVolume: { size: 8, type: 'gp3', iops: 3000, throughput: 125, encrypted: true, encryptionKey: 'alias/x' },
    },
  },
  {
    because: 'a disk too small',
    spec: { rootVolume: { size: 7 } },
    says: 'spec.rootVolume.size in body should be greater than or equal to 8',
  },
  { because: 'io2 has iops', spec: { rootVolume: { size: 8, type: 'io2', iops: 1000 } } },
  {
    because: 'io1 needs iops',
    spec: { rootVolume: { size: 8, type: 'io1' } },
    says: 'spec.rootVolume.iops: Invalid value: rootVolume.type io1 and io2 need rootVolume.iops',
  },
  {
    because: 'gp2, which is what EC2 takes, has no iops',
    spec: { rootVolume: { size: 8, iops: 3000 } },
    says: 'spec.rootVolume.iops: Invalid value: rootVolume.iops needs rootVolume.type gp3, io1 or io2',
  },
  {
    because: 'only gp3 has a throughput',
    spec: { rootVolume: { size: 8, type: 'io1', iops: 3000, throughput: 125 } },
    says: 'spec.rootVolume.throughput: Invalid value: rootVolume.throughput needs rootVolume.type gp3',
  },
  {
    because: 'a key encrypts nothing by itself',
    spec: { rootVolume: { size: 8, encryptionKey: 'alias/x' } },
    says: 'spec.rootVolume.encryptionKey: Invalid value: rootVolume.encryptionKey needs rootVolume.encrypted: true',
  },
  ...tagCases,
]

export const clusterCases: Case[] = [
  { because: 'a region is enough', spec: {} },
  { because: 'a region of the sovereign cloud', spec: { region: 'eusc-de-east-1' } },
  { because: 'a zone is no region', spec: { region: 'eu-west-1a' }, says: 'spec.region in body should match' },
  {
    because: 'a local zone',
    spec: { network: { subnets: [{ id: 'subnet-1', availabilityZone: 'us-east-1-bos-1a' }] } },
  },
  {
    because: 'a subnet has no zone',
    spec: { network: { subnets: [{ id: 'subnet-1' }] } },
    says: 'spec.network.subnets[0].availabilityZone: Required value',
  },
  {
    because: 'a subnet stands there twice',
    spec: {
      network: { subnets: ['a', 'b'].map((zone) => ({ id: 'subnet-1', availabilityZone: `eu-west-1${zone}` })) },
    },
    says: 'spec.network.subnets[1]: Duplicate value',
  },
  {
    because: 'half an endpoint',
    spec: { controlPlaneEndpoint: { host: 'h' } },
    says: 'spec.controlPlaneEndpoint.port: Required value',
  },
  ...tagCases,
]
