import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { withFields } from './fields.ts'

const said = (kind: RefusalKind, code: string, message: string) => withFields(new CloudError(kind, { code, message }))

it.each<[code: string, message: string, field: string]>([
  ['bad_field', "image.id: The image 'r006-lost' could not be found", 'spec.image of the IBMMachine'],
  ['bad_field', "keys[0].id: The key 'r006-lost' could not be found", 'spec.sshKeys of the IBMMachine'],
  [
    'bad_field',
    "primary_network_interface.subnet.id: The subnet '0717-lost' could not be found",
    'spec.primaryNetworkInterface.subnet of the IBMMachine, spec.network.workerSubnets of the IBMCluster',
  ],
  [
    'bad_field',
    "primary_network_interface.security_groups[0].id: The security group 'r006-lost' could not be found",
    'spec.primaryNetworkInterface.securityGroups of the IBMMachine, spec.network.securityGroups of the IBMCluster',
  ],
  [
    'bad_field',
    "resource_group.id: The resource group 'lost' could not be found",
    'spec.resourceGroup of the IBMCluster',
  ],
  ['bad_field', "vpc.id: The vpc 'r006-lost' could not be found", 'spec.network.vpc of the IBMCluster'],
  [
    'bad_field',
    "placement_target.id: The placement group 'lost' could not be found",
    'spec.placementTarget of the IBMMachine',
  ],
  [
    'bad_field',
    'boot_volume_attachment.volume.capacity: The capacity must be at most 250 GB.',
    'spec.bootVolume of the IBMMachine',
  ],
  ['bad_field', 'reservation_affinity.pool[0].id: not found', 'spec.reservationAffinity of the IBMMachine'],
  [
    'bad_field',
    'profile: The image x is for amd64, the profile for s390x.',
    'spec.profile, spec.image of the IBMMachine',
  ],
  ['bad_field', 'profile: The profile gx3 is not available in zone us-south-2.', 'spec.profile of the IBMMachine'],
  [
    'invalid_zone',
    'zone.name: The subnet a is in zone us-south-1, not in us-south-2.',
    'spec.primaryNetworkInterface.subnet of the IBMMachine, spec.network.workerSubnets of the IBMCluster, ' +
      'spec.failureDomain of the Machine',
  ],
  [
    'vpc_resource_separation',
    'The resources are in different VPCs.',
    'spec.network of the IBMCluster, spec.primaryNetworkInterface of the IBMMachine',
  ],
  ['encryption_key_deleted', 'The key is gone.', 'spec.bootVolume.encryptionKeyCRN of the IBMMachine'],
])('%s: %s', (code, message, field) => {
  expect(said('invalid', code, message)).toMatchObject({ kind: 'invalid', code, message: `${field}: ${message}` })
})

it('leaves alone what names no field, and what is not about the spec', () => {
  expect(said('invalid', 'bad_request', 'Something is wrong.').message).toBe('Something is wrong.')
  expect(said('capacity', 'cannot_start_capacity', 'There is no capacity for the profile.').message).toBe(
    'There is no capacity for the profile.',
  )
})
