import { describe, expect, it } from 'vitest'
import { FakeLookups, image, scope } from '../../test/aws-specs.ts'
import { quietCtx } from '../../test/quiet-ctx.ts'
import type { AWSMachineSpec } from '../../api/generated/aws-machine.ts'
import { disksFor } from './volumes.ts'

const lookups = new FakeLookups()
lookups.images = [
  { id: image, rootDevice: '/dev/xvda' },
  { id: 'ami-rootless', rootDevice: undefined },
]

function disks(spec: Partial<AWSMachineSpec>, imageId = image) {
  return disksFor({ spec: { instanceType: 'm5.large', ...spec }, scope }, imageId, lookups, quietCtx())
}

describe('disks', () => {
  it('are the image’s own where the spec says nothing, and the image is not asked for', async () => {
    const before = lookups.asked.length
    expect(await disks({})).toBeUndefined()
    expect(await disks({ nonRootVolumes: [{ deviceName: '/dev/sdb', size: 8 }] })).toHaveLength(1)
    expect(lookups.asked).toHaveLength(before)
  })

  it('go by the image’s root device, said or not', async () => {
    for (const rootVolume of [{ size: 8 }, { size: 8, deviceName: '/dev/xvda' }]) {
      expect(await disks({ rootVolume })).toMatchObject([{ DeviceName: '/dev/xvda' }])
    }
  })

  it.each([
    [
      'another device than the image’s, which would be one disk more',
      { rootVolume: { size: 8, deviceName: '/dev/sda1' } },
      image,
      `spec.rootVolume.deviceName of the AWSMachine is /dev/sda1, but image ${image} boots from /dev/xvda`,
    ],
    ['an image without a root device', { rootVolume: { size: 8 } }, 'ami-rootless', 'has no root device'],
    ['an image that is not there', { rootVolume: { size: 8 } }, 'ami-none', 'EC2 shows us no image ami-none'],
  ])('refuse %s', async (_, spec, imageId, message) => {
    const refused = disks(spec, imageId)
    await expect(refused).rejects.toMatchObject({ kind: 'invalid' })
    await expect(refused).rejects.toThrow(message)
  })

  it.each([
    [{}, undefined],
    [{ encrypted: false }, false],
    [{ encrypted: true }, true],
    [{ encryptionKey: 'alias/k' }, true],
  ])('with %o are encrypted: %s', async (more, Encrypted) => {
    const [disk] = (await disks({ rootVolume: { size: 8, ...more } })) ?? []
    expect(disk?.Ebs?.Encrypted).toBe(Encrypted)
  })
})
