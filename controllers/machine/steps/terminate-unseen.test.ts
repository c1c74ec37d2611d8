import { beforeEach, expect, it } from 'vitest'
import { finalizers } from '../../../api/labels.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { staleReadMs } from '../../../providers/wire/limits.ts'
import { refusal } from '../../../test/support/refusal.ts'
import { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
})

it('one that has run needs no minute of empty looks, whatever the cloud called it last', async () => {
  const id = await world.serves()
  // As IBM does with one that failed after it had served: it may still be reached.
  world.cloud.set(id, 'pending')
  await world.listed()
  await world.pass()
  expect(world.machine?.status).toMatchObject({ initialization: { provisioned: true }, instanceState: 'pending' })
  world.remove()
  await world.pass()
  world.cloud.instances.delete(id)
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('one that was refused for good goes at once, after a restart of the manager too', async () => {
  world.cloud.createFaults.push({ when: 'before', error: refusal('capacity', 'NoRoom') })
  await world.pass()
  await world.restart()
  world.remove()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('one of which only the answer to the create call tells may still be on its way', async () => {
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  expect(world.machine?.spec.providerID).toBeDefined()
  world.cloud.instances.delete(id)
  await world.restart()
  world.remove()
  await world.pass()
  expect(world.machine?.metadata.finalizers).toEqual([finalizers.machine])
})

it('a young instance that late reads hide is not let go with its machine: it is ended when one shows it', async () => {
  const id = await world.serves()
  expect(world.ready?.reason).toBe('Running')
  world.cloud.invisible.add(id)
  world.remove()
  await world.listed()
  await world.pass()
  expect(world.machine, 'no read shows it, and it is 15 s old').toBeDefined()
  world.cloud.invisible.delete(id)
  await world.listed()
  await world.pass()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
  world.cloud.set(id, 'terminated')
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('what reads hid when it was young is not gone because it has grown older: it is looked for again', async () => {
  const id = await world.serves()
  world.cloud.invisible.add(id)
  await world.listed()
  await world.pass()
  expect(world.ready?.reason).toBe('InstanceGone')
  world.cloud.listFault = new CloudError('transient', { code: 'Busy', message: 'Not now.' })
  world.cloud.invisible.delete(id)
  await world.clock.advance(2 * staleReadMs)
  world.remove()
  await world.pass()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
  expect(world.machine).toBeDefined()
})

it('one that has been shown for longer than reads are late, and is gone, goes at once', async () => {
  const id = await world.serves()
  for (let polls = 0; polls < 3; polls++) await world.listed()
  world.cloud.instances.delete(id)
  await world.listed()
  world.remove()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('what the cloud has begun to end is gone when no read shows it any more, however young', async () => {
  const id = await world.serves()
  world.remove()
  await world.pass()
  expect(world.cloud.count('terminate')).toBe(1)
  world.cloud.instances.delete(id)
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})
