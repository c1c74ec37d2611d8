import { root, disk, nowhere, trapsOf } from './trap.ts'

/** What EBS does not make. */
export const volumes = trapsOf({
  InvalidBlockDeviceMapping: [
    [
      'a root volume smaller than the snapshot of the image',
      root({ VolumeSize: 4 }),
      "Volume of size 4GB is smaller than snapshot 'snap-0c1a0000000000001', expect size >= 8GB",
    ],
    [
      'one device twice',
      { BlockDeviceMappings: [1, 2].map((VolumeSize) => ({ DeviceName: '/dev/sdb', Ebs: { VolumeSize } })) },
      'twice',
    ],
  ],
  MissingParameter: [
    ['a disk without size or snapshot', disk({ VolumeType: 'gp3' }), 'size'],
    ['a block device without a name', { BlockDeviceMappings: [{ Ebs: { VolumeSize: 20 } }] }, 'DeviceName'],
  ],
  InvalidParameterCombination: [
    [
      'iops of a gp2 volume',
      root({ VolumeType: 'gp2', VolumeSize: 20, Iops: 100 }),
      'The parameter iops is not supported for gp2 volumes.',
    ],
    [
      'an io1 volume without iops',
      root({ VolumeType: 'io1', VolumeSize: 20 }),
      'The parameter iops must be specified for io1 volumes.',
    ],
    ['more iops than the size of the volume allows', root({ VolumeType: 'io1', VolumeSize: 20, Iops: 1001 }), 'ratio'],
    [
      'throughput of an io2 volume',
      root({ VolumeType: 'io2', VolumeSize: 20, Iops: 100, Throughput: 125 }),
      'throughput can only be specified for volumeType gp3.',
    ],
    ['a cold disk as the root device', root({ VolumeType: 'sc1', VolumeSize: 125 }), 'root'],
  ],
  InvalidParameterValue: [
    ['fewer iops than gp3 has', root({ VolumeType: 'gp3', Iops: 2999 }), '3000'],
    ['throughput above 2000', root({ VolumeType: 'gp3', Throughput: 2001 }), '2000'],
    ['a volume type that EBS has not', root({ VolumeType: 'gp4' as 'gp3' }), 'gp4'],
  ],
  InvalidParameterDependency: [
    [
      'an encryption key without encryption',
      root({ KmsKeyId: 'alias/k' }),
      'The parameter KmsKeyId requires the parameter Encrypted to be set.',
    ],
  ],
  'InvalidSnapshot.NotFound': [
    ['a snapshot that is not there', disk({ SnapshotId: `snap-${nowhere}` }), `snap-${nowhere}`],
  ],
})
