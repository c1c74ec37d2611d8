import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

it('who asks with the token of another process writes itself into the attempt first: what that one still writes is refused', async () => {
  const world = new MachineWorld()
  await world.pass()
  await world.listed()
  const error = new CloudError('ambiguous', { code: 'ECONNRESET', message: 'socket hang up' })
  world.cloud.createFaults.push({ when: 'before', error })
  await world.pass()
  const read = world.machine?.metadata.resourceVersion
  await world.restart()
  const create = world.cloud.create.bind(world.cloud)
  let standing: string | undefined
  world.cloud.create = (want, ctx) => {
    standing ??= world.machine?.metadata.resourceVersion
    return create(want, ctx)
  }
  await world.pass()
  await world.listed()
  await world.pass()
  expect(standing).toBeDefined()
  expect(standing).not.toBe(read)
  expect(world.attempt).toMatchObject({ token: 'token-1', n: 1, holder: 'process-2' })
  expect(world.cloud.instances.size).toBe(1)
})
