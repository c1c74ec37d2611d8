import type { Case } from './crd-cases.ts'

/** The same for the boot disk and for any other. */
const volumeCases: Case[] = [
  {
    because: 'all that gp3 can have',
    volume: { size: 8, type: 'gp3', iops: 3000, throughput: 125, encrypted: true, encryptionKey: 'alias/x' },
  },
  { because: 'a disk too small', volume: { size: 7 }, says: '.size in body should be greater than or equal to 8' },
  { because: 'io2 has iops', volume: { size: 8, type: 'io2', iops: 1000 } },
  {
    because: 'io1 needs iops',
    volume: { size: 8, type: 'io1' },
    says: '.iops: Invalid value: a volume of type io1 or io2 needs iops',
  },
  {
    because: 'gp2 has no iops',
    volume: { size: 8, type: 'gp2', iops: 3000 },
    says: '.iops: Invalid value: iops needs a volume of type gp3',
  },
  {
    because: 'only gp3 has a throughput',
    volume: { size: 8, type: 'io1', iops: 3000, throughput: 125 },
    says: '.throughput: Invalid value: throughput needs a volume of type gp3',
  },
  { because: 'a key encrypts by itself', volume: { size: 8, encryptionKey: 'alias/x' } },
  {
    because: 'a key and no encryption',
    volume: { size: 8, encrypted: false, encryptionKey: 'alias/x' },
    says: '.encryptionKey: Invalid value: encryptionKey excludes "encrypted: false"',
  },
].flatMap(({ because, volume, says }) => [
  {
    because: `${because} (rootVolume)`,
    spec: { rootVolume: volume },
    ...(says ? { says: `spec.rootVolume${says}` } : {}),
  },
  {
    because: `${because} (nonRootVolumes)`,
    spec: { nonRootVolumes: [{ deviceName: '/dev/sdb', ...volume }] },
    ...(says ? { says: `spec.nonRootVolumes[0]${says}` } : {}),
  },
])

export const diskCases: Case[] = [
  ...volumeCases,
  {
    because: 'the type of the image may be one that has iops and throughput',
    spec: { rootVolume: { size: 8, iops: 3000, throughput: 125 } },
  },
  {
    because: 'gp2, which is what EC2 takes for a disk beside, has no iops',
    spec: { nonRootVolumes: [{ deviceName: '/dev/sdb', size: 8, iops: 3000 }] },
    says: 'spec.nonRootVolumes[0].iops: Invalid value: iops needs a volume of type gp3',
  },
  {
    because: 'nothing boots from a slow disk',
    spec: { rootVolume: { size: 500, type: 'st1' } },
    says: 'spec.rootVolume.type: Unsupported value',
  },
  { because: 'a slow disk beside', spec: { nonRootVolumes: [{ deviceName: 'xvdb', size: 125, type: 'st1' }] } },
  {
    because: 'a slow disk is a large one',
    spec: { nonRootVolumes: [{ deviceName: '/dev/sdb', size: 124, type: 'sc1' }] },
    says: 'spec.nonRootVolumes[0].size: Invalid value: a volume of type st1 or sc1 needs at least 125 GiB',
  },
  {
    because: 'a further disk has a place',
    spec: { nonRootVolumes: [{ size: 8 }] },
    says: 'spec.nonRootVolumes[0].deviceName: Required value',
  },
  {
    because: 'two disks have two places',
    spec: { nonRootVolumes: [8, 9].map((size) => ({ deviceName: '/dev/sdb', size })) },
    says: 'spec.nonRootVolumes[1]: Duplicate value',
  },
  {
    because: 'the first disk has its place too',
    spec: {
      rootVolume: { deviceName: '/dev/sda1', size: 8 },
      nonRootVolumes: [{ deviceName: '/dev/sda1', size: 8 }],
    },
    says: 'spec.nonRootVolumes: Invalid value: nonRootVolumes cannot use the device of rootVolume',
  },
]
