import type { BadInput, BadInputs } from './bad-input-cases.ts'

const invalid = 'InvalidConfiguration'

const placeCases: readonly BadInput[] = [
  {
    because: 'GCE has no such region',
    cluster: { region: 'moon-base1', network: {} },
    reason: invalid,
    says: ['spec.region of the GCPCluster', 'moon-base1'],
  },
  {
    because: 'the network does not exist',
    cluster: { network: { name: 'lost' } },
    reason: invalid,
    says: ['spec.network of the GCPCluster', 'networks/lost'],
  },
  {
    because: 'the network has no subnet by itself, and none is named',
    cluster: { network: { name: 'spot' } },
    reason: invalid,
    says: ['spec.subnet of the GCPMachine', 'spec.network of the GCPCluster', 'must be provided'],
  },
  {
    because: 'the cluster’s subnet does not exist',
    cluster: { network: { name: 'spot', subnets: [{ name: 'lost' }] } },
    reason: invalid,
    says: ['spec.network of the GCPCluster', 'subnetworks/lost'],
  },
  {
    because: 'the machine’s subnet does not exist',
    machine: { subnet: 'lost' },
    reason: invalid,
    says: ['spec.subnet of the GCPMachine', 'subnetworks/lost'],
  },
  {
    because: 'the subnet has no such range',
    machine: { aliasIPRanges: [{ ipCidrRange: '/24', subnetworkRangeName: 'lost' }] },
    reason: invalid,
    says: ['spec.aliasIPRanges of the GCPMachine', "'lost'"],
  },
  {
    because: 'the failure domain is in another region',
    owner: { failureDomain: 'us-east1-b' },
    reason: invalid,
    says: ['us-east1-b', 'spec.failureDomain', 'correct one'],
    mend: { owner: { failureDomain: 'us-central1-a' } },
  },
  {
    because: 'the region has no such zone',
    owner: { failureDomain: 'us-central1-z' },
    reason: invalid,
    says: ['spec.failureDomain of the Machine', 'us-central1-z'],
  },
  {
    because: 'the cluster’s only zone does not exist',
    cluster: { failureDomains: ['us-central1-z'] },
    reason: invalid,
    says: ['spec.failureDomains of the GCPCluster', 'us-central1-z'],
  },
]

const imageCases: readonly BadInput[] = [
  {
    because: 'the image does not exist',
    machine: { image: 'projects/spot-simulated/global/images/lost' },
    reason: invalid,
    says: ['spec.image, spec.imageFamily of the GCPMachine', 'images/lost'],
  },
  {
    because: 'the family does not exist',
    machine: { image: undefined, imageFamily: 'projects/spot-simulated/global/images/family/lost' },
    reason: invalid,
    says: ['spec.image, spec.imageFamily of the GCPMachine', 'family/lost'],
  },
  {
    because: 'the project has no image for the version',
    machine: { image: undefined },
    reason: invalid,
    says: ['spec.image, spec.imageFamily of the GCPMachine', 'v1-33'],
  },
  {
    because: 'there is no image and no version',
    machine: { image: undefined },
    owner: { version: undefined },
    reason: invalid,
    says: ['set spec.image or spec.imageFamily of the GCPMachine', 'spec.version of the Machine'],
    mend: { owner: { version: 'v1.36.3' } },
  },
  {
    because: 'the image is of another architecture',
    machine: { instanceType: 'c4a-standard-4', rootDeviceType: 'hyperdisk-balanced' },
    reason: invalid,
    says: ['spec.instanceType, spec.image of the GCPMachine', 'ARM64'],
  },
]

const machineCases: readonly BadInput[] = [
  {
    because: 'the type does not exist',
    machine: { instanceType: 'e2-humongous' },
    reason: invalid,
    says: ['spec.instanceType of the GCPMachine', 'e2-humongous'],
  },
  {
    because: 'the type takes newer disks only',
    machine: { instanceType: 'c4a-standard-4', rootDeviceType: 'pd-standard' },
    reason: invalid,
    says: ['spec.rootDeviceType, spec.additionalDisks of the GCPMachine', 'pd-standard'],
  },
  {
    because: 'the reservation does not exist',
    machine: {
      provisioningModel: 'Standard',
      reservationAffinity: { consumeReservationType: 'SPECIFIC_RESERVATION', values: ['lost'] },
    },
    reason: 'ReservationUnavailable',
    says: ['spec.reservationAffinity of the GCPMachine', 'lost'],
  },
  {
    because: 'the service account does not exist',
    machine: { serviceAccounts: { email: 'nobody@example.com' } },
    reason: invalid,
    says: ['spec.serviceAccounts of the GCPMachine', 'nobody@example.com'],
  },
  {
    because: 'the accelerator does not exist',
    machine: { guestAccelerators: [{ type: 'lost', count: 1 }] },
    reason: invalid,
    says: ['spec.guestAccelerators of the GCPMachine', 'acceleratorTypes/lost'],
  },
  {
    because: 'there are not so many accelerators in an instance',
    machine: { instanceType: 'n1-standard-4', guestAccelerators: [{ type: 'nvidia-tesla-t4', count: 16 }] },
    reason: invalid,
    says: ['spec.guestAccelerators of the GCPMachine', "'16'"],
  },
]

export const gcpBadInputs: BadInputs = {
  goodMachine: ({ values }) => ({
    instanceType: 'e2-standard-4',
    image: values['GCP_IMAGE_ID'],
    provisioningModel: 'Spot',
  }),
  goodCluster: ({ values }) => ({
    project: values['GCP_PROJECT'],
    region: values['GCP_REGION'],
    network: { name: values['GCP_NETWORK_NAME'], subnets: [{ name: values['GCP_SUBNET_NAME'] }] },
  }),
  cases: [...placeCases, ...imageCases, ...machineCases],
  createActions: ['instances.insert'],
}
