import { root, disk, nowhere, type Trap } from './trap.ts'

/** What EBS does not make. */
export const volumes: readonly Trap[] = [
  {
    trap: 'a root volume smaller than the snapshot of the image',
    said: root({ VolumeSize: 4 }),
    code: 'InvalidBlockDeviceMapping',
    message: "Volume of size 4GB is smaller than snapshot 'snap-0c1a0000000000001', expect size >= 8GB",
  },
  {
    trap: 'a disk without size or snapshot',
    said: disk({ VolumeType: 'gp3' }),
    code: 'MissingParameter',
    message: 'size',
  },
  {
    trap: 'a block device without a name',
    said: { BlockDeviceMappings: [{ Ebs: { VolumeSize: 20 } }] },
    code: 'MissingParameter',
    message: 'DeviceName',
  },
  {
    trap: 'one device twice',
    said: { BlockDeviceMappings: [1, 2].map((VolumeSize) => ({ DeviceName: '/dev/sdb', Ebs: { VolumeSize } })) },
    code: 'InvalidBlockDeviceMapping',
    message: 'twice',
  },
  {
    trap: 'iops of a gp2 volume',
    said: root({ VolumeType: 'gp2', VolumeSize: 20, Iops: 100 }),
    code: 'InvalidParameterCombination',
    message: 'The parameter iops is not supported for gp2 volumes.',
  },
  {
    trap: 'an io1 volume without iops',
    said: root({ VolumeType: 'io1', VolumeSize: 20 }),
    code: 'InvalidParameterCombination',
    message: 'The parameter iops must be specified for io1 volumes.',
  },
  {
    trap: 'more iops than the size of the volume allows',
    said: root({ VolumeType: 'io1', VolumeSize: 20, Iops: 1001 }),
    code: 'InvalidParameterCombination',
    message: 'ratio',
  },
  {
    trap: 'fewer iops than gp3 has',
    said: root({ VolumeType: 'gp3', Iops: 2999 }),
    code: 'InvalidParameterValue',
    message: '3000',
  },
  {
    trap: 'throughput of an io2 volume',
    said: root({ VolumeType: 'io2', VolumeSize: 20, Iops: 100, Throughput: 125 }),
    code: 'InvalidParameterCombination',
    message: 'throughput can only be specified for volumeType gp3.',
  },
  {
    trap: 'throughput above 2000',
    said: root({ VolumeType: 'gp3', Throughput: 2001 }),
    code: 'InvalidParameterValue',
    message: '2000',
  },
  {
    trap: 'a cold disk as the root device',
    said: root({ VolumeType: 'sc1', VolumeSize: 125 }),
    code: 'InvalidParameterCombination',
    message: 'root',
  },
  {
    trap: 'an encryption key without encryption',
    said: root({ KmsKeyId: 'alias/k' }),
    code: 'InvalidParameterDependency',
    message: 'The parameter KmsKeyId requires the parameter Encrypted to be set.',
  },
  {
    trap: 'a volume type that EBS has not',
    said: root({ VolumeType: 'gp4' as 'gp3' }),
    code: 'InvalidParameterValue',
    message: 'gp4',
  },
  {
    trap: 'a snapshot that is not there',
    said: disk({ SnapshotId: `snap-${nowhere}` }),
    code: 'InvalidSnapshot.NotFound',
    message: `snap-${nowhere}`,
  },
]
