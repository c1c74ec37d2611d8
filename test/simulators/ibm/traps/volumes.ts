import { boot, data, trapsOf } from './trap.ts'

/** What IBM does not make of volumes. */
export const volumes = trapsOf({
  bad_field: [
    [
      'a volume to boot from that is smaller than its image',
      boot({ capacity: 9 }),
      'boot_volume_attachment.volume.capacity',
    ],
    ['a volume to boot from of more than 250 GB', boot({ capacity: 251 }), 'boot_volume_attachment.volume.capacity'],
    [
      'a volume profile that there is not',
      boot({ profile: { name: 'fast' } }),
      'boot_volume_attachment.volume.profile.name',
    ],
    ['a speed where the profile decides it', boot({ iops: 3000 }), 'boot_volume_attachment.volume.iops'],
    [
      'more speed than there is',
      boot({ profile: { name: 'custom' }, iops: 48_001 }),
      'boot_volume_attachment.volume.iops',
    ],
    [
      'more speed than a custom volume of its size can have',
      boot({ profile: { name: 'custom' }, capacity: 100, iops: 6_001 }),
      'boot_volume_attachment.volume.iops',
    ],
    ['a bandwidth where the profile decides it', boot({ bandwidth: 1_000 }), 'boot_volume_attachment.volume.bandwidth'],
  ],
  validation_required_field: [
    ['a volume without a profile', boot({ profile: undefined }), 'boot_volume_attachment.volume.profile'],
    ['a second volume without a size', data({ capacity: undefined }), 'volume_attachments[0].volume.capacity'],
  ],
  volume_encryption_key_crn_invalid: [
    [
      'a key that is none',
      boot({ encryption_key: { crn: 'crn:v1:bluemix:public:kms:us-south:a/1:2:key:lost' } }),
      'boot_volume_attachment.volume.encryption_key.crn',
    ],
  ],
  validation_unique_failed: [
    ['one volume name twice', { ...boot({ name: 'twice' }), ...data({ name: 'twice' }) }, 'volume_attachments'],
  ],
})
