import { afterEach, beforeEach, expect, it } from 'vitest'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { openAwsRig, type AwsRig } from './aws-rig.ts'
import { launchFor, refTo } from './rig.ts'

let rig: AwsRig
beforeEach(async () => {
  rig = await openAwsRig()
})
afterEach(() => rig.close())

const hour = 3_600_000

it('a token whose instance has ended, and is shown no more, has a definite end: nothing else comes of it', async () => {
  const ctx = quietCtx()
  const want = launchFor(rig)
  const { instances } = rig.cloud
  const { id } = await instances.create(want, ctx)
  await instances.terminate(refTo(rig, want, id), ctx)
  await rig.advance(2 * hour)
  await expect(instances.create(want, ctx)).rejects.toMatchObject({
    kind: 'ended',
    code: 'IdempotentInstanceTerminated',
  })
  expect(rig.alive()).toBe(0)
})
