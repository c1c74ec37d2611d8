import { boot, data, type Trap } from './trap.ts'

/** What IBM does not make of volumes. */
export const volumes: readonly Trap[] = [
  {
    trap: 'a volume to boot from that is smaller than its image',
    said: boot({ capacity: 9 }),
    code: 'bad_field',
    target: 'boot_volume_attachment.volume.capacity',
  },
  {
    trap: 'a volume to boot from of more than 250 GB',
    said: boot({ capacity: 251 }),
    code: 'bad_field',
    target: 'boot_volume_attachment.volume.capacity',
  },
  {
    trap: 'a volume profile that there is not',
    said: boot({ profile: { name: 'fast' } }),
    code: 'bad_field',
    target: 'boot_volume_attachment.volume.profile.name',
  },
  {
    trap: 'a volume without a profile',
    said: boot({ profile: undefined }),
    code: 'validation_required_field',
    target: 'boot_volume_attachment.volume.profile',
  },
  {
    trap: 'a speed where the profile decides it',
    said: boot({ iops: 3000 }),
    code: 'bad_field',
    target: 'boot_volume_attachment.volume.iops',
  },
  {
    trap: 'more speed than there is',
    said: boot({ profile: { name: 'custom' }, iops: 48_001 }),
    code: 'bad_field',
    target: 'boot_volume_attachment.volume.iops',
  },
  {
    trap: 'more speed than a custom volume of its size can have',
    said: boot({ profile: { name: 'custom' }, capacity: 100, iops: 6_001 }),
    code: 'bad_field',
    target: 'boot_volume_attachment.volume.iops',
  },
  {
    trap: 'a bandwidth where the profile decides it',
    said: boot({ bandwidth: 1_000 }),
    code: 'bad_field',
    target: 'boot_volume_attachment.volume.bandwidth',
  },
  {
    trap: 'a key that is none',
    said: boot({ encryption_key: { crn: 'crn:v1:bluemix:public:kms:us-south:a/1:2:key:lost' } }),
    code: 'volume_encryption_key_crn_invalid',
    target: 'boot_volume_attachment.volume.encryption_key.crn',
  },
  {
    trap: 'a second volume without a size',
    said: data({ capacity: undefined }),
    code: 'validation_required_field',
    target: 'volume_attachments[0].volume.capacity',
  },
  {
    trap: 'one volume name twice',
    said: { ...boot({ name: 'twice' }), ...data({ name: 'twice' }) },
    code: 'validation_unique_failed',
    target: 'volume_attachments',
  },
]
