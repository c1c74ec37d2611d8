import { afterEach, beforeEach, expect, it } from 'vitest'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { standardWorld, type ImageVolume } from '../simulators/aws/world.ts'
import { openAwsRig, type AwsRig } from './aws-rig.ts'
import { launchFor, refTo } from './rig.ts'

/** An image that was made of an instance whose disks were to stay. */
function worldWithLastingDisks() {
  const world = standardWorld()
  const volumes = ['/dev/sda1', '/dev/sdf'].map((device): ImageVolume => ({
    device,
    snapshot: `snap-0c1a0000000000${device.slice(-2)}`,
    snapshotGiB: 8,
    type: 'gp3',
    deleteOnTermination: false,
  }))
  return { ...world, images: world.images.map((image) => ({ ...image, volumes })) }
}

let rig: AwsRig
beforeEach(async () => {
  rig = await openAwsRig({ world: worldWithLastingDisks() })
})
afterEach(() => rig.close())

it('no disk outlives its instance, whatever the image says of it', async () => {
  const ctx = quietCtx()
  const want = launchFor(rig)
  const { id } = await rig.cloud.instances.create(want, ctx)
  await rig.settle()
  expect(rig.simulator.control.remains().disks).toHaveLength(2)
  await rig.cloud.instances.terminate(refTo(rig, want, id), ctx)
  await rig.settle()
  expect(rig.simulator.control.remains().disks).toEqual([])
})
