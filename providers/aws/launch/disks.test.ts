import { describe, expect, it } from 'vitest'
import { imageFactsOf } from '../../../test/support/clouds/aws-specs.ts'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import type { ImageFacts, ImageVolume } from '../lookups/facts.ts'
import { disksFor } from './disks.ts'

const root: ImageVolume = {
  device: '/dev/xvda',
  sizeGiB: 8,
  type: 'gp3',
  iops: 3_000,
  throughput: 125,
  endsWithInstance: true,
}
const image = imageFactsOf({ id: 'ami-1', rootDevice: '/dev/xvda', volumes: [root] })

function disks(spec: Partial<AWSMachineSpec>, facts: ImageFacts | undefined = image) {
  return disksFor({ instanceType: 'm5.large', ...spec }, { id: 'ami-1', facts })
}

describe('disks', () => {
  it('are the image’s own where the spec says nothing', () => {
    expect(disks({})).toBeUndefined()
    expect(disksFor({ instanceType: 'm5.large' }, { id: 'ami-1', facts: undefined })).toBeUndefined()
    expect(disks({ nonRootVolumes: [{ deviceName: '/dev/sdb', size: 8 }] })).toHaveLength(1)
  })

  it('go by the image’s root device, said or not', () => {
    for (const rootVolume of [{ size: 8 }, { size: 8, deviceName: '/dev/xvda' }]) {
      expect(disks({ rootVolume })).toMatchObject([{ DeviceName: '/dev/xvda' }])
    }
  })

  it.each([
    [
      'another device than the image’s, which would be one disk more',
      { rootVolume: { size: 8, deviceName: '/dev/sda1' } },
      image,
      'spec.rootVolume.deviceName of the AWSMachine is /dev/sda1, but image ami-1 boots from /dev/xvda',
    ],
    [
      'an image without a root device',
      { rootVolume: { size: 8 } },
      { ...image, rootDevice: undefined },
      'has no root device',
    ],
  ])('refuse %s', (_, spec, facts, message) => {
    const refused = () => disks(spec, facts)
    expect(refused).toThrow(expect.objectContaining({ kind: 'invalid' }) as Error)
    expect(refused).toThrow(message)
  })

  it('refuse an image that is not there, where its root device has to be known', () => {
    const refused = () =>
      disksFor({ instanceType: 'm5.large', rootVolume: { size: 8 } }, { id: 'ami-1', facts: undefined })
    expect(refused).toThrow('EC2 shows no image ami-1')
  })

  it.each([
    [{}, undefined],
    [{ encrypted: false }, false],
    [{ encrypted: true }, true],
    [{ encryptionKey: 'alias/k' }, true],
  ])('with %o are encrypted: %s', (more, Encrypted) => {
    const [disk] = disks({ rootVolume: { size: 8, ...more } }) ?? []
    expect(disk?.Ebs?.Encrypted).toBe(Encrypted)
  })
})

describe('a root disk whose type the spec leaves out', () => {
  const ebs = (spec: object, volume: Partial<ImageVolume>) => {
    const [disk] = disks({ rootVolume: { size: 20, ...spec } }, { ...image, volumes: [{ ...root, ...volume }] }) ?? []
    return disk?.Ebs
  }

  it('is of the image’s type, with what the image says of it: EC2 would not say which one it takes', () => {
    expect(ebs({}, {})).toMatchObject({ VolumeSize: 20, VolumeType: 'gp3', Iops: 3_000, Throughput: 125 })
    expect(ebs({}, { type: 'io2', iops: 500, throughput: undefined })).toMatchObject({ VolumeType: 'io2', Iops: 500 })
    expect(ebs({ throughput: 250 }, {})).toMatchObject({ VolumeType: 'gp3', Iops: 3_000, Throughput: 250 })
  })

  it('has no iops where EBS takes none, though the image shows some', () => {
    const plain = ebs({}, { type: 'gp2', iops: 100, throughput: undefined })
    expect(plain).toEqual({ DeleteOnTermination: true, VolumeSize: 20, VolumeType: 'gp2' })
  })

  it('is as the spec says where it says the type, and nothing of the image’s comes with that', () => {
    expect(ebs({ type: 'gp2' }, {})).toEqual({ DeleteOnTermination: true, VolumeSize: 20, VolumeType: 'gp2' })
  })
})

describe('a disk of the image that would outlive its instance', () => {
  const lasting = (device: string): ImageVolume => ({ ...root, device, endsWithInstance: false })
  const of = (...volumes: ImageVolume[]) => ({ ...image, volumes })

  it('ends with it, and stays as the image says', () => {
    const data = { ...lasting('/dev/sdf'), type: 'gp2', iops: 100, throughput: undefined, sizeGiB: 50 }
    expect(disks({}, of(lasting('/dev/xvda'), data, { ...root, device: '/dev/sdg' }))).toEqual([
      {
        DeviceName: '/dev/xvda',
        Ebs: { DeleteOnTermination: true, VolumeSize: 8, VolumeType: 'gp3', Iops: 3_000, Throughput: 125 },
      },
      { DeviceName: '/dev/sdf', Ebs: { DeleteOnTermination: true, VolumeSize: 50, VolumeType: 'gp2' } },
    ])
  })

  it('is left to what the spec says of its device, which ends with the instance too', () => {
    const spec = { rootVolume: { size: 20 }, nonRootVolumes: [{ deviceName: '/dev/sdf', size: 100 }] }
    const made = disks(spec, of(lasting('/dev/xvda'), lasting('/dev/sdf')))
    expect(made).toMatchObject([
      { DeviceName: '/dev/xvda', Ebs: { DeleteOnTermination: true, VolumeSize: 20 } },
      { DeviceName: '/dev/sdf', Ebs: { DeleteOnTermination: true, VolumeSize: 100 } },
    ])
    expect(made).toHaveLength(2)
  })
})
