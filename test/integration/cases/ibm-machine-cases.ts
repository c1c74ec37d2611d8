import type { Case } from './crd-cases.ts'
import { distributionCases } from './distribution-cases.ts'
import { fallbackCases } from './fallback-cases.ts'
import { ibmUpstream } from './upstream-cases.ts'

const image = { id: 'r006-01234567-89ab-4cde-8f01-23456789abcd' }

/** The required fields only. */
export const ibmMachine = { profile: 'bxf-2x8', image }

const spot = { availability: { class: 'spot' } }
const host = { id: '0717-host' }

const marketCases: Case[] = [
  { because: 'spot', spec: spot },
  { because: 'standard, said', spec: { availability: { class: 'standard' } } },
  {
    because: 'IBM knows no third class',
    spec: { availability: { class: 'cheap' } },
    says: 'spec.availability.class: Unsupported value',
  },
  { because: 'both policies', spec: { ...spot, availabilityPolicy: { preemption: 'delete', hostFailure: 'stop' } } },
  {
    because: 'nothing is hibernated',
    spec: { availabilityPolicy: { preemption: 'hibernate' } },
    says: 'spec.availabilityPolicy.preemption: Unsupported value',
  },
  {
    because: 'spot may say that it wants no reservation',
    spec: { ...spot, reservationAffinity: { policy: 'disabled' } },
  },
  ...[{ policy: 'automatic' }, { policy: 'manual', pool: [{ id: '0717-r' }] }].flatMap((reservationAffinity) => [
    { because: `a reservation: ${reservationAffinity.policy}`, spec: { reservationAffinity } },
    {
      because: `spot runs in no reservation: ${reservationAffinity.policy}`,
      spec: { ...spot, reservationAffinity },
      says: 'spec.reservationAffinity: Invalid value: reservationAffinity excludes spot',
    },
    {
      because: `what is placed runs in no reservation: ${reservationAffinity.policy}`,
      spec: { placementTarget: { placementGroup: { id: 'r006-g' } }, reservationAffinity },
      says: 'spec.reservationAffinity: Invalid value: reservationAffinity excludes placementTarget',
    },
  ]),
  ...[{ policy: 'manual' }, { policy: 'manual', pool: [] }].map((reservationAffinity) => ({
    because: `the reservation has to be named: ${JSON.stringify(reservationAffinity)}`,
    spec: { reservationAffinity },
    says: 'spec.reservationAffinity.pool: Invalid value: reservationAffinity.pool must name exactly one reservation',
  })),
  {
    because: 'IBM chooses the reservation itself',
    spec: { reservationAffinity: { policy: 'automatic', pool: [{ id: '0717-r' }] } },
    says: 'spec.reservationAffinity.pool: Invalid value: reservationAffinity.pool needs policy manual',
  },
]

const placementCases: Case[] = [
  ...['dedicatedHost', 'dedicatedHostGroup'].flatMap((kind) => [
    { because: `a ${kind}`, spec: { placementTarget: { [kind]: host } } },
    {
      because: `spot runs on no ${kind}`,
      spec: { ...spot, placementTarget: { [kind]: host } },
      says: 'spec.placementTarget: Invalid value: placementTarget on a dedicated host excludes spot',
    },
  ]),
  {
    because: 'spot keeps apart from its like',
    spec: { ...spot, placementTarget: { placementGroup: { id: 'r006-g' } } },
  },
  ...[{}, { dedicatedHost: host, placementGroup: host }].map((placementTarget) => ({
    because: `a machine is in one place, not in ${Object.keys(placementTarget).length}`,
    spec: { placementTarget },
    says: 'spec.placementTarget: Invalid value: placementTarget needs one of dedicatedHost',
  })),
]

const nameCases: Case[] = [
  { because: 'an image by its name', spec: { image: { name: 'ibm-ubuntu-24-04-3-minimal-amd64-1' } } },
  ...[{}, { ...image, name: 'kube' }].map((named) => ({
    because: `an image is named by one thing, not by ${Object.keys(named).length}`,
    spec: { image: named },
    says: 'spec.image: Invalid value: image needs either id or name',
  })),
  { because: 'an image has no slash', spec: { image: { id: 'a/b' } }, says: 'spec.image.id in body should match' },
  {
    because: 'keys and security groups by id and by name',
    spec: {
      sshKeys: [{ id: 'r006-k' }, { name: 'admin' }],
      primaryNetworkInterface: { subnet: '0717-s', securityGroups: [{ id: 'r006-g' }, { name: 'nodes' }] },
    },
  },
  {
    because: 'a key is named by one thing',
    spec: { sshKeys: [{ id: 'r006-k' }, { id: 'r006-l', name: 'admin' }] },
    says: 'spec.sshKeys[1]: Invalid value: each entry needs either id or name',
  },
  {
    because: 'a security group is named by something',
    spec: { primaryNetworkInterface: { securityGroups: [{}] } },
    says: 'spec.primaryNetworkInterface.securityGroups[0]: Invalid value: each entry needs either id or name',
  },
  {
    because: 'an interface that says nothing',
    spec: { primaryNetworkInterface: {} },
    says: 'spec.primaryNetworkInterface in body should have at least 1 properties',
  },
]

const diskCases: Case[] = [
  { because: 'a disk of a size', spec: { bootVolume: { sizeGiB: 10 } } },
  { because: 'all that sdp can have', spec: { bootVolume: { sizeGiB: 32_000, profile: 'sdp', iops: 64_000 } } },
  {
    because: 'more than the first generation has',
    spec: { bootVolume: { sizeGiB: 251 } },
    says: 'spec.bootVolume.sizeGiB: Invalid value: a bootVolume of more than 250 GiB needs profile sdp',
  },
  {
    because: 'fewer operations than sdp has',
    spec: { bootVolume: { profile: 'sdp', iops: 2_999 } },
    says: 'spec.bootVolume.iops: Invalid value: bootVolume.iops must be at least 3000 with profile sdp',
  },
  {
    because: 'more operations than custom has',
    spec: { bootVolume: { profile: 'custom', sizeGiB: 250, iops: 48_001 } },
    says: 'spec.bootVolume.iops: Invalid value: bootVolume.iops can be at most 48000 with profile custom',
  },
  { because: 'all that custom can have', spec: { bootVolume: { sizeGiB: 250, profile: 'custom', iops: 6000 } } },
  {
    because: 'a key of one’s own, and that it ends with the machine',
    spec: { bootVolume: { encryptionKeyCRN: 'crn:v1:bluemix:public:kms:x', deleteVolumeOnInstanceDelete: true } },
  },
  ...[9, 32_001].map((sizeGiB) => ({
    because: `nothing boots from ${sizeGiB} GiB`,
    spec: { bootVolume: { sizeGiB } },
    says: 'spec.bootVolume.sizeGiB in body should be',
  })),
  ...[{ iops: 6000 }, { sizeGiB: 100 }].map((said) => ({
    because: `custom needs more than ${Object.keys(said).join()}`,
    spec: { bootVolume: { profile: 'custom', ...said } },
    says: 'spec.bootVolume: Invalid value: bootVolume with profile custom needs iops and sizeGiB',
  })),
  {
    because: 'the other profiles have operations of their own',
    spec: { bootVolume: { sizeGiB: 100, iops: 6000 } },
    says: 'spec.bootVolume.iops: Invalid value: bootVolume.iops belongs to the profiles custom and sdp',
  },
  {
    because: 'nothing is left behind',
    spec: { bootVolume: { deleteVolumeOnInstanceDelete: false } },
    says: 'bootVolume.deleteVolumeOnInstanceDelete can only be true',
  },
]

const fallback: Case[] = [
  ...fallbackCases({
    types: 'profiles',
    good: ['bxf-4x16', 'bxf-2x8'],
    badType: 'BX2-2x8',
    zones: ['us-south-1', 'us-south-2'],
    badZone: 'us-south',
  }),
  ...['dedicatedHost', 'dedicatedHostGroup'].map((kind) => ({
    because: `an entry asks for spot on a ${kind}`,
    spec: { placementTarget: { [kind]: { id: 'h' } }, fallback: [{ capacityType: 'Spot' }] },
    says: 'spec.fallback: Invalid value: fallback cannot have an entry with capacityType Spot beside a placementTarget on',
  })),
  ...distributionCases({
    spot,
    reserved: { reservationAffinity: { policy: 'manual', pool: [{ id: '0717-r' }] } },
    types: { profiles: ['bxf-4x16'] },
  }),
]

export const ibmMachineCases: Case[] = [
  ...fallback,
  { because: 'no more than profile and image is needed', spec: {} },
  { because: 'the profile is missing', spec: { profile: undefined }, says: 'spec.profile: Required value' },
  { because: 'the image is missing', spec: { image: undefined }, says: 'spec.image: Required value' },
  { because: 'a profile with GPUs', spec: { profile: 'gx3d-160x1792x8h100' } },
  {
    because: 'the profile is none',
    spec: { profile: 'm5.large' },
    says: 'spec.profile in body should match',
    isPlaceholder: true,
  },
  ...marketCases,
  ...placementCases,
  ...nameCases,
  ...diskCases,
  {
    because: 'it may ask who it is',
    spec: { metadataService: { enabled: true, protocol: 'https', responseHopLimit: 2 } },
  },
  {
    because: '65 hops are too far',
    spec: { metadataService: { responseHopLimit: 65 } },
    says: 'spec.metadataService.responseHopLimit in body should be less than or equal to 64',
  },
  ...ibmUpstream,
]

/** Another value for every field of a machine: none may change. A placement excludes every reservation. */
export const ibmFull = {
  ...ibmMachine,
  zone: 'us-south-1',
  ...spot,
  availabilityPolicy: { preemption: 'stop' },
  reservationAffinity: { policy: 'disabled' },
  primaryNetworkInterface: { subnet: '0717-s' },
  sshKeys: [{ id: 'r006-k' }],
  bootVolume: { sizeGiB: 100 },
  placementTarget: { placementGroup: { id: 'r006-g' } },
  metadataService: { enabled: true },
  fallback: [{ capacityType: 'OnDemand' }],
  distribution: { onDemandBase: 1 },
}
export const ibmOthers: Readonly<Record<string, unknown>> = {
  zone: 'us-south-2',
  profile: 'bxf-4x16',
  image: { id: 'r006-another' },
  availability: { class: 'standard' },
  availabilityPolicy: { preemption: 'delete' },
  reservationAffinity: { policy: 'disabled', pool: [] },
  primaryNetworkInterface: { subnet: '0727-s' },
  sshKeys: [{ id: 'r006-l' }],
  bootVolume: { sizeGiB: 101 },
  placementTarget: { placementGroup: { id: 'r006-h' } },
  metadataService: { enabled: false },
  fallback: [{ capacityType: 'OnDemand', after: '10m' }],
  distribution: { onDemandBase: 2 },
}
