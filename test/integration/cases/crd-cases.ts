/** A spec on one side or the other of a rule. */
export interface Case {
  because: string
  spec: object
  /** The error of the API server; undefined: it accepts. */
  says?: string
  /** A template accepts it: it may be the placeholder of a ClusterClass. */
  isPlaceholder?: true
}

/** The required fields only. */
export const machine = { instanceType: 'm5.large', ami: { id: 'ami-0123456789abcdef0' } }
export const cluster = { region: 'eu-west-1' }
export const filters = [{ name: 'tag:for', values: ['nodes'] }]

export const tagCases: Case[] = [
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

export const clusterCases: Case[] = [
  { because: 'a region is enough', spec: {} },
  { because: 'a region of the sovereign cloud', spec: { region: 'eusc-de-east-1' } },
  { because: 'a zone is no region', spec: { region: 'eu-west-1a' }, says: 'spec.region in body should match' },
  {
    because: 'a local zone',
    spec: { network: { subnets: [{ id: 'subnet-1', availabilityZone: 'us-east-1-bos-1a' }] } },
  },
  { because: 'the zone of a subnet can be asked for', spec: { network: { subnets: [{ id: 'subnet-1' }] } } },
  { because: 'subnets are found by filters', spec: { network: { subnets: [{ filters, isPublic: true }] } } },
  ...[{ id: 'subnet-1', filters }, {}].map((subnet) => ({
    because: `a subnet is named by one thing, not by ${Object.keys(subnet).length}`,
    spec: { network: { subnets: [subnet] } },
    says: 'spec.network.subnets[0]: Invalid value: a subnet needs either id or filters',
  })),
  {
    because: 'a zone is of a subnet that is named',
    spec: { network: { subnets: [{ filters, availabilityZone: 'eu-west-1a' }] } },
    says: 'spec.network.subnets[0].availabilityZone: Invalid value: availabilityZone needs an id',
  },
  {
    because: 'a subnet stands there twice',
    spec: {
      network: { subnets: ['a', 'b'].map((zone) => ({ id: 'subnet-1', availabilityZone: `eu-west-1${zone}` })) },
    },
    says: 'subnets names a subnet twice',
  },
  {
    because: 'the security groups of nodes',
    spec: { network: { securityGroupOverrides: { node: 'sg-1', lb: 'sg-2', 'node-eks-additional': 'sg-3' } } },
  },
  {
    because: 'half an endpoint',
    spec: { controlPlaneEndpoint: { host: 'h' } },
    says: 'spec.controlPlaneEndpoint.port: Required value',
  },
  {
    because: 'a lookup that does not say what to look up',
    spec: { imageLookupFormat: '{{.Name}}' },
    says: 'imageLookupFormat can only contain the substitutions {{.BaseOS}} and {{.K8sVersion}}',
  },
  ...tagCases,
]
