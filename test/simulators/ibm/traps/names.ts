import { attached, boot, image, nowhere, trapsOf } from './trap.ts'

/** What a request names must be there and be a name. */
export const names = trapsOf({
  validation_invalid_name: ['Worker', '-a', 'a-', '123', 'a_b', 'a.b', '', 'a'.repeat(64)].map(
    (name) => [`the name "${name}"`, { name }, 'name'] as const,
  ),
  validation_unique_failed: [
    ['an instance name that is taken', { name: 'taken' }, 'name'],
    ['a volume name that is taken', boot({ name: 'taken-boot' }), 'boot_volume_attachment.volume.name'],
    [
      'an interface name that is taken',
      attached({ name: 'taken-vni' }),
      'primary_network_attachment.virtual_network_interface.name',
    ],
  ],
  bad_field: [
    ['a zone that there is not', { zone: { name: 'us-south-4' } }, 'zone.name'],
    ['no image', { image: undefined }, 'image'],
    ['an image that there is not', { image: { id: nowhere } }, 'image.id'],
    ['two identities of one thing', { image: { id: nowhere, crn: 'crn:v1' } }, 'image'],
    ['an identity that says nothing', { image: {} }, 'image'],
    ['an image that is obsolete', image('47'), 'image'],
    ['an image that is not yet there', image('48'), 'image'],
    ['an image for another architecture', image('43'), 'profile'],
    ['a profile that there is not', { profile: { name: 'bxf-3x9' } }, 'profile.name'],
    ['a key that there is not', { keys: [{ fingerprint: 'SHA256:other' }] }, 'keys[0].fingerprint'],
    ['a resource group that there is not', { resource_group: { id: nowhere } }, 'resource_group.id'],
    ['a network that there is not', { vpc: { id: nowhere } }, 'vpc.id'],
    [
      'a subnet that there is not',
      attached({ subnet: { id: nowhere } }),
      'primary_network_attachment.virtual_network_interface.subnet.id',
    ],
  ],
  validation_required_field: [['no zone', { zone: undefined }, 'zone']],
})
