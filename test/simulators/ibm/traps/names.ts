import { attached, boot, image, nowhere, type Trap } from './trap.ts'

/** What a request names must be there and be a name. */
export const names: readonly Trap[] = [
  ...['Worker', '-a', 'a-', '123', 'a_b', 'a.b', '', 'a'.repeat(64)].map((name) => ({
    trap: `the name "${name}"`,
    said: { name },
    code: 'validation_invalid_name',
    target: 'name',
  })),
  { trap: 'an instance name that is taken', said: { name: 'taken' }, code: 'validation_unique_failed', target: 'name' },
  {
    trap: 'a zone that there is not',
    said: { zone: { name: 'us-south-4' } },
    code: 'bad_field',
    target: 'zone.name',
  },
  { trap: 'no zone', said: { zone: undefined }, code: 'validation_required_field', target: 'zone' },
  { trap: 'no image', said: { image: undefined }, code: 'bad_field', target: 'image' },
  { trap: 'an image that there is not', said: { image: { id: nowhere } }, code: 'bad_field', target: 'image.id' },
  {
    trap: 'two identities of one thing',
    said: { image: { id: nowhere, crn: 'crn:v1' } },
    code: 'bad_field',
    target: 'image',
  },
  { trap: 'an identity that says nothing', said: { image: {} }, code: 'bad_field', target: 'image' },
  { trap: 'an image that is obsolete', said: image('47'), code: 'bad_field', target: 'image' },
  { trap: 'an image that is not yet there', said: image('48'), code: 'bad_field', target: 'image' },
  { trap: 'an image for another architecture', said: image('43'), code: 'bad_field', target: 'profile' },
  {
    trap: 'a profile that there is not',
    said: { profile: { name: 'bxf-3x9' } },
    code: 'bad_field',
    target: 'profile.name',
  },
  {
    trap: 'a key that there is not',
    said: { keys: [{ fingerprint: 'SHA256:other' }] },
    code: 'bad_field',
    target: 'keys[0].fingerprint',
  },
  {
    trap: 'a resource group that there is not',
    said: { resource_group: { id: nowhere } },
    code: 'bad_field',
    target: 'resource_group.id',
  },
  { trap: 'a network that there is not', said: { vpc: { id: nowhere } }, code: 'bad_field', target: 'vpc.id' },
  {
    trap: 'a subnet that there is not',
    said: attached({ subnet: { id: nowhere } }),
    code: 'bad_field',
    target: 'primary_network_attachment.virtual_network_interface.subnet.id',
  },
  {
    trap: 'a volume name that is taken',
    said: boot({ name: 'taken-boot' }),
    code: 'validation_unique_failed',
    target: 'boot_volume_attachment.volume.name',
  },
  {
    trap: 'an interface name that is taken',
    said: attached({ name: 'taken-vni' }),
    code: 'validation_unique_failed',
    target: 'primary_network_attachment.virtual_network_interface.name',
  },
]
