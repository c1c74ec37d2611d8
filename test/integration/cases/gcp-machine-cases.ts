import type { Case } from './crd-cases.ts'
import { distributionCases } from './distribution-cases.ts'
import { fallbackCases } from './fallback-cases.ts'
import { diskCases } from './gcp-disk-cases.ts'
import { labelCases } from './gcp-label-cases.ts'
import { gcpUpstream } from './upstream-cases.ts'

const image = 'projects/my-project/global/images/my-image'

/** The required fields only. */
export const gcpMachine = { instanceType: 'e2-standard-4', image }

const spot = { provisioningModel: 'Spot' }

/** Fields that spot excludes, with each way to request spot. */
const spotExcludes: Case[] = [
  {
    because: 'GCE cannot migrate spot instances',
    spec: { onHostMaintenance: 'Migrate' },
    says: 'spec.onHostMaintenance: Invalid value: onHostMaintenance Migrate excludes spot',
  },
  {
    because: 'spot instances run in no open reservation',
    spec: { reservationAffinity: { consumeReservationType: 'ANY_RESERVATION' } },
    says: 'spec.reservationAffinity: Invalid value: reservationAffinity excludes spot',
  },
  {
    because: 'spot instances run in no reservation that is named',
    spec: { reservationAffinity: { consumeReservationType: 'SPECIFIC_RESERVATION', values: ['r1'] } },
    says: 'spec.reservationAffinity: Invalid value: reservationAffinity excludes spot',
  },
].flatMap(({ because, spec, says }) => [
  { because: `${because}: provisioningModel`, spec: { ...spec, ...spot }, says },
  { because: `${because}: preemptible`, spec: { ...spec, preemptible: true }, says },
  { because: `${because}, others do`, spec },
])

const marketCases: Case[] = [
  { because: 'spot', spec: spot },
  { because: 'the older form of spot', spec: { preemptible: true } },
  { because: 'spot, said twice', spec: { ...spot, preemptible: true, onHostMaintenance: 'Terminate' } },
  {
    because: 'spot with all its terms',
    spec: { ...spot, instanceTerminationAction: 'Delete', preemptionNoticeDuration: '120s' },
  },
  {
    because: 'spot that says that it wants no reservation',
    spec: { ...spot, reservationAffinity: { consumeReservationType: 'NO_RESERVATION' } },
  },
  ...spotExcludes,
  ...[{}, { preemptible: true }, { provisioningModel: 'Standard' }].flatMap((market) => [
    {
      because: `an end of spot without spot: ${JSON.stringify(market)}`,
      spec: { ...market, instanceTerminationAction: 'Stop' },
      says: 'spec.instanceTerminationAction: Invalid value: instanceTerminationAction needs provisioningModel Spot',
    },
    {
      because: `a notice without spot: ${JSON.stringify(market)}`,
      spec: { ...market, preemptionNoticeDuration: '0s' },
      says: 'spec.preemptionNoticeDuration: Invalid value: preemptionNoticeDuration needs provisioningModel Spot',
    },
  ]),
  {
    because: 'GCE gives no other notice',
    spec: { ...spot, preemptionNoticeDuration: '60s' },
    says: 'spec.preemptionNoticeDuration: Unsupported value',
  },
  {
    because: 'GCE knows more models than we',
    spec: { provisioningModel: 'FlexStart' },
    says: 'spec.provisioningModel: Unsupported value',
  },
  {
    because: 'which reservation is not said',
    spec: { reservationAffinity: { consumeReservationType: 'SPECIFIC_RESERVATION' } },
    says: 'spec.reservationAffinity.values: Invalid value: SPECIFIC_RESERVATION needs the name of the reservation',
  },
  {
    because: 'a reservation is named and not wanted',
    spec: { reservationAffinity: { consumeReservationType: 'NO_RESERVATION', values: ['r1'] } },
    says: 'spec.reservationAffinity.values: Invalid value: only SPECIFIC_RESERVATION names a reservation',
  },
  {
    because: 'a key is given and no reservation is wanted',
    spec: {
      reservationAffinity: {
        consumeReservationType: 'ANY_RESERVATION',
        key: 'compute.googleapis.com/reservation-name',
      },
    },
    says: 'spec.reservationAffinity.key: Invalid value: only SPECIFIC_RESERVATION names a reservation',
  },
]

const imageCases: Case[] = [
  { because: 'the image may follow from the version', spec: { image: undefined } },
  { because: 'the newest of a family', spec: { image: undefined, imageFamily: 'projects/p1/global/images/family/f' } },
  { because: 'a full address', spec: { image: `https://www.googleapis.com/compute/v1/${image}` } },
  ...['my-image', 'global/images/my-image', 'projects/p/global/images/family/f'].map((name) => ({
    because: `${name} is no full name of an image`,
    spec: { image: name },
    says: 'spec.image in body should match',
  })),
]

const networkCases: Case[] = [
  {
    because: 'a subnet is named by its name',
    spec: { subnet: 'nodes', publicIP: true, additionalNetworkTags: ['web'] },
  },
  {
    because: 'a subnet is not named by its address',
    spec: { subnet: 'projects/p/regions/r/subnetworks/s' },
    says: 'spec.subnet in body should match',
  },
  ...['10.2.3.4', '10.1.2.0/24', '/24'].map((ipCidrRange) => ({
    because: `further addresses: ${ipCidrRange}`,
    spec: { aliasIPRanges: [{ ipCidrRange, subnetworkRangeName: 'pods' }] },
  })),
  {
    because: 'a range that is none',
    spec: { aliasIPRanges: [{ ipCidrRange: '/33' }] },
    says: 'spec.aliasIPRanges[0].ipCidrRange in body should match',
  },
  {
    because: 'a tag stands there twice',
    spec: { additionalNetworkTags: ['web', 'web'] },
    says: 'spec.additionalNetworkTags[1]: Duplicate value',
  },
  {
    because: 'a tag that is none',
    spec: { additionalNetworkTags: ['Web'] },
    says: 'spec.additionalNetworkTags[0] in body should match',
  },
]

const optionCases: Case[] = [
  {
    because: 'metadata besides the bootstrap data',
    spec: { additionalMetadata: [{ key: 'a', value: 'b' }, { key: 'c' }] },
  },
  {
    because: 'the bootstrap data has its place',
    spec: { additionalMetadata: [{ key: 'user-data', value: 'b' }] },
    says: 'spec.additionalMetadata[0].key: Invalid value: additionalMetadata cannot have the key user-data',
  },
  {
    because: 'metadata stands there twice',
    spec: { additionalMetadata: [{ key: 'a' }, { key: 'a' }] },
    says: 'spec.additionalMetadata[1]: Duplicate value',
  },
  {
    because: 'a service account',
    spec: { serviceAccounts: { email: 'a@b.iam.gserviceaccount.com', scopes: ['https://a'] } },
  },
  {
    because: 'a service account that may do nothing',
    spec: { serviceAccounts: { scopes: [] } },
    says: 'spec.serviceAccounts.scopes in body should have at least 1 items',
  },
  {
    because: 'a shielded instance',
    spec: { shieldedInstanceConfig: { secureBoot: 'Enabled' }, ipForwarding: 'Disabled' },
  },
  { because: 'encrypted memory, spot', spec: { confidentialCompute: 'AMDEncryptedVirtualization', ...spot } },
  { because: 'encrypted memory', spec: { confidentialCompute: 'Enabled', onHostMaintenance: 'Terminate' } },
  {
    because: 'encrypted memory does not move',
    spec: { confidentialCompute: 'IntelTrustedDomainExtensions' },
    says: 'spec.onHostMaintenance: Invalid value: confidentialCompute needs onHostMaintenance Terminate',
  },
  { because: 'accelerators', spec: { guestAccelerators: [{ type: 'nvidia-tesla-t4', count: 1 }] } },
  {
    because: 'accelerators do not move',
    spec: { guestAccelerators: [{ type: 'nvidia-tesla-t4', count: 1 }], onHostMaintenance: 'Migrate' },
    says: 'spec.onHostMaintenance: Invalid value: onHostMaintenance Migrate excludes guestAccelerators',
  },
  {
    because: 'a type with accelerators of its own is never moved either',
    spec: { instanceType: 'g2-standard-4', onHostMaintenance: 'Migrate' },
    says: 'spec.onHostMaintenance: Invalid value: onHostMaintenance Migrate excludes this instanceType',
  },
  { because: 'a type with accelerators of its own', spec: { instanceType: 'g2-standard-4' } },
  {
    because: 'no accelerator',
    spec: { guestAccelerators: [{ type: 'nvidia-tesla-t4', count: 0 }] },
    says: 'spec.guestAccelerators[0].count in body should be greater than or equal to 1',
  },
]

const fallback: Case[] = [
  ...fallbackCases({
    types: 'instanceTypes',
    good: ['n2-standard-4', 'e2-standard-4'],
    badType: 'zones/z/machineTypes/e2-standard-4',
    zones: ['europe-west1-b', 'us-central1-ai1a'],
    badZone: 'europe-west1',
  }),
  {
    because: 'a confidential machine may be bought on demand',
    spec: { ...spot, confidentialCompute: 'AMDEncryptedVirtualization', fallback: [{ capacityType: 'OnDemand' }] },
    says: 'spec.onHostMaintenance: Invalid value: confidentialCompute beside an entry of fallback with capacityType OnDemand',
  },
  {
    because: 'a confidential machine may be bought on demand, and ends for maintenance',
    spec: {
      ...spot,
      confidentialCompute: 'AMDEncryptedVirtualization',
      onHostMaintenance: 'Terminate',
      fallback: [{ capacityType: 'OnDemand' }],
    },
  },
  ...distributionCases({
    spot,
    reserved: { reservationAffinity: { consumeReservationType: 'SPECIFIC_RESERVATION', values: ['r1'] } },
    types: { instanceTypes: ['n2-standard-4'] },
  }),
]

export const gcpMachineCases: Case[] = [
  ...fallback,
  { because: 'no more than type and image is needed', spec: {} },
  { because: 'the type is missing', spec: { instanceType: undefined }, says: 'spec.instanceType: Required value' },
  { because: 'a custom type', spec: { instanceType: 'n2-custom-4-8192-ext' } },
  {
    because: 'the type is an address',
    spec: { instanceType: 'zones/z/machineTypes/e2-standard-4' },
    says: 'spec.instanceType in body should match',
    isPlaceholder: true,
  },
  ...imageCases,
  ...marketCases,
  ...networkCases,
  ...diskCases,
  ...optionCases,
  ...labelCases,
  ...gcpUpstream,
]

/** Another value for fields of a machine: none may change. */
export const gcpFull = {
  ...gcpMachine,
  ...spot,
  fallback: [{ capacityType: 'OnDemand' }],
  distribution: { onDemandBase: 1 },
}
export const gcpOthers: Readonly<Record<string, unknown>> = {
  fallback: [{ capacityType: 'OnDemand', after: '10m' }],
  distribution: { onDemandBase: 2 },
}
