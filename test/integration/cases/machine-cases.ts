import { diskCases } from './aws-disk-cases.ts'
import { filters, tagCases, type Case } from './crd-cases.ts'
import { distributionCases } from './distribution-cases.ts'
import { fallbackCases } from './fallback-cases.ts'
import { awsUpstream } from './upstream-cases.ts'

/** Fields that spot excludes, with each way to request spot. */
const spotExcludes: Case[] = [
  {
    because: 'spot instances run in no reservation',
    spec: { capacityReservationId: 'cr-0123' },
    says: 'spec.capacityReservationId: Invalid value: capacityReservationId excludes spot',
  },
  {
    because: 'spot instances run in no open reservation either',
    spec: { capacityReservationPreference: 'CapacityReservationsOnly' },
    says: 'spec.capacityReservationPreference: Invalid value: capacityReservationPreference CapacityReservationsOnly excludes spot',
  },
  {
    because: 'spot instances cannot run on dedicated hosts',
    spec: { tenancy: 'host' },
    says: 'spec.tenancy: Invalid value: tenancy host excludes spot',
  },
].flatMap(({ because, spec, says }) => [
  { because: `${because}: marketType`, spec: { ...spec, marketType: 'Spot' }, says },
  { because: `${because}: spotMarketOptions`, spec: { ...spec, spotMarketOptions: {} }, says },
  { because: `${because}, others do`, spec },
])

const marketCases: Case[] = [
  { because: 'spot has no maximum price of its own', spec: { marketType: 'Spot' } },
  { because: 'spot at the on-demand price', spec: { spotMarketOptions: {} } },
  { because: 'spot, said twice', spec: { marketType: 'Spot', spotMarketOptions: { maxPrice: '0.05' } } },
  { because: 'a capacity block', spec: { marketType: 'CapacityBlock', capacityReservationId: 'cr-0123' } },
  ...['OnDemand', 'CapacityBlock'].map((marketType) => ({
    because: `${marketType} and spot exclude each other`,
    spec: { marketType, spotMarketOptions: {}, capacityReservationId: 'cr-0123' },
    says: 'spec.spotMarketOptions: Invalid value: spotMarketOptions asks for spot while marketType is OnDemand or',
  })),
  {
    because: 'a capacity block has to be named',
    spec: { marketType: 'CapacityBlock' },
    says: 'spec.capacityReservationId: Invalid value: marketType CapacityBlock needs capacityReservationId',
  },
  {
    because: 'EC2 knows more market types than we',
    spec: { marketType: 'interruptible-capacity-reservation' },
    says: 'spec.marketType: Unsupported value',
  },
  { because: 'the least price', spec: { spotMarketOptions: { maxPrice: '0.0011' } } },
  ...['0.001', '0', '-1', 'banana', ' ', '1e3', '.5'].map((maxPrice) => ({
    because: `"${maxPrice}" is no price`,
    spec: { spotMarketOptions: { maxPrice } },
    says: 'maxPrice must be US dollars per hour, above 0.001 and written like "0.05"',
  })),
  ...['', 'CapacityReservationsOnly'].map((capacityReservationPreference) => ({
    because: `a reservation with the preference "${capacityReservationPreference}"`,
    spec: { capacityReservationId: 'cr-0123', capacityReservationPreference },
  })),
  ...['Open', 'None'].map((capacityReservationPreference) => ({
    because: `a reservation is named and the preference is ${capacityReservationPreference}`,
    spec: { capacityReservationId: 'cr-0123', capacityReservationPreference },
    says: 'spec.capacityReservationPreference: Invalid value: capacityReservationPreference must be CapacityReservationsOnly',
  })),
  {
    because: 'spot may say that it wants no reservation',
    spec: { marketType: 'Spot', capacityReservationPreference: 'None' },
  },
  ...spotExcludes,
]

const imageCases: Case[] = [
  { because: 'the image may be looked up', spec: { ami: undefined } },
  {
    because: 'an image is looked up by all that there is',
    spec: {
      ami: {},
      imageLookupFormat: 'my-{{.BaseOS}}-?{{ .K8sVersion }}-*',
      imageLookupOrg: '123456789012',
      imageLookupBaseOS: 'al2023',
    },
  },
  {
    because: 'the images of EKS are not found this way',
    spec: { ami: { eksLookupType: 'AmazonLinux2023' } },
    says: 'spec.ami.eksLookupType: Invalid value: ami.eksLookupType is not supported',
  },
  ...['{{.Other}}', '{{.BaseOS', '{{.BaseOS | upper}}', 'a{b}'].map((imageLookupFormat) => ({
    because: `${imageLookupFormat} is no substitution`,
    spec: { imageLookupFormat },
    says: 'imageLookupFormat can only contain the substitutions {{.BaseOS}} and {{.K8sVersion}}',
  })),
  {
    because: 'an account has 12 digits',
    spec: { imageLookupOrg: '12345' },
    says: 'spec.imageLookupOrg in body should match',
  },
]

const networkCases: Case[] = [
  {
    because: 'an id is of another thing',
    spec: { subnet: { id: 'vpc-0123' } },
    says: 'spec.subnet.id in body should match',
  },
  { because: 'a subnet is found by filters', spec: { subnet: { filters } } },
  ...[{ id: 'subnet-1', filters }, {}].map((subnet) => ({
    because: `a subnet is named by one thing, not by ${Object.keys(subnet).length}`,
    spec: { subnet },
    says: 'spec.subnet: Invalid value: subnet needs either id or filters',
  })),
  {
    because: 'a filter without values finds nothing',
    spec: { subnet: { filters: [{ name: 'tag:for', values: [] }] } },
    says: 'spec.subnet.filters[0].values in body should have at least 1 items',
  },
  {
    because: 'security groups by id and by filters',
    spec: { additionalSecurityGroups: [{ id: 'sg-1' }, { filters }] },
  },
  ...[{ id: 'sg-1', filters }, {}].map((group) => ({
    because: `a security group is named by one thing, not by ${Object.keys(group).length}`,
    spec: { additionalSecurityGroups: [{ id: 'sg-2' }, group] },
    says: 'spec.additionalSecurityGroups[1]: Invalid value: a security group needs either id or filters',
  })),
  { because: 'a public address and a fast network', spec: { publicIP: true, networkInterfaceType: 'efa' } },
  {
    because: 'a network that we do not know',
    spec: { networkInterfaceType: 'efa-only' },
    says: 'spec.networkInterfaceType: Unsupported value',
  },
]

const optionCases: Case[] = [
  { because: 'IMDSv1 for who needs it', spec: { instanceMetadataOptions: { httpTokens: 'optional' } } },
  {
    because: '65 hops are too far',
    spec: { instanceMetadataOptions: { httpPutResponseHopLimit: 65 } },
    says: 'spec.instanceMetadataOptions.httpPutResponseHopLimit in body should be less than or equal to 64',
  },
  { because: 'tags are not shown', spec: { instanceMetadataOptions: { instanceMetadataTags: 'disabled' } } },
  {
    because: 'tags cannot be shown',
    spec: { instanceMetadataOptions: { instanceMetadataTags: 'enabled' } },
    says: 'spec.instanceMetadataOptions.instanceMetadataTags: Invalid value: instanceMetadataTags cannot be enabled',
  },
  { because: 'a template that skipped the secrets manager', spec: { cloudInit: { insecureSkipSecretsManager: true } } },
  {
    because: 'a template that did not',
    spec: { cloudInit: { insecureSkipSecretsManager: false } },
    says: 'cloudInit.insecureSkipSecretsManager can only be true',
  },
  {
    because: 'a partition of a group',
    spec: { placementGroupName: 'together', placementGroupPartition: 7 },
  },
  {
    because: 'a partition of no group',
    spec: { placementGroupPartition: 1 },
    says: 'spec.placementGroupPartition: Invalid value: placementGroupPartition needs placementGroupName',
  },
  {
    because: 'an eighth partition',
    spec: { placementGroupName: 'together', placementGroupPartition: 8 },
    says: 'spec.placementGroupPartition in body should be less than or equal to 7',
  },
  {
    because: 'encrypted memory',
    spec: { cpuOptions: { confidentialCompute: 'AMDEncryptedVirtualizationNestedPaging' } },
  },
  {
    because: 'options that say nothing',
    spec: { cpuOptions: {} },
    says: 'spec.cpuOptions in body should have at least 1 properties',
  },
  {
    because: 'a profile is named, not its ARN',
    spec: { iamInstanceProfile: 'arn:aws:iam::1:instance-profile/x' },
    says: 'spec.iamInstanceProfile in body should match',
  },
  { because: 'an empty key name means none', spec: { sshKeyName: '' } },
  { because: 'a key name of two words', spec: { sshKeyName: 'my key' } },
  {
    because: 'a key name does not end with a space',
    spec: { sshKeyName: 'my key ' },
    says: 'spec.sshKeyName in body should match',
  },
]

const fallback: Case[] = [
  ...fallbackCases({
    types: 'instanceTypes',
    good: ['m5a.large', 'm5.large'],
    badType: 'm5',
    zones: ['eu-west-1a', 'us-east-1-bos-1a'],
    badZone: 'a',
  }),
  {
    because: 'an entry asks for spot on a dedicated host',
    spec: { tenancy: 'host', fallback: [{ capacityType: 'Spot' }] },
    says: 'spec.fallback: Invalid value: fallback cannot have an entry with capacityType Spot beside tenancy host',
  },
  {
    because: 'another type on a dedicated host',
    spec: { tenancy: 'host', fallback: [{ instanceTypes: ['m5a.large'] }] },
  },
  {
    because: 'spot may follow a reservation',
    spec: { capacityReservationId: 'cr-0123', fallback: [{ capacityType: 'Spot' }] },
  },
  ...distributionCases({
    spot: { marketType: 'Spot' },
    reserved: { capacityReservationId: 'cr-0123' },
    types: { instanceTypes: ['m5a.large'] },
  }),
]

export const machineCases: Case[] = [
  ...fallback,
  { because: 'no more than type and image is needed', spec: {} },
  { because: 'the type is missing', spec: { instanceType: undefined }, says: 'spec.instanceType: Required value' },
  {
    because: 'the type is none',
    spec: { instanceType: 'large' },
    says: 'spec.instanceType in body should match',
    isPlaceholder: true,
  },
  { because: 'metal has a dash', spec: { instanceType: 'u-6tb1.112xlarge' } },
  ...imageCases,
  ...marketCases,
  ...networkCases,
  ...diskCases,
  ...optionCases,
  ...tagCases,
  ...awsUpstream,
]
