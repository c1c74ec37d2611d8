import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { longestCallMs, visibilityGraceMs } from '../../../providers/wire/limits.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

/** So long a cache without our own last write is not believed. */
const ownWriteMs = 30_000
const mayComeForMs = longestCallMs + visibilityGraceMs

/** etcd was put back to before the attempt of a young instance that no list shows yet, and now lists fail. */
async function forgotten() {
  const world = new MachineWorld()
  const copy = world.apiserver.copy()
  await world.pass()
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  expect(world.attempt?.handle).toBe(id)
  world.cloud.invisible.add(id)
  await world.listed()
  world.cloud.listFault = new CloudError('transient', { code: 'PartialList', message: 'It was not complete.' })
  world.apiserver.putBack(copy)
  await world.clock.advance(ownWriteMs)
  await world.pass()
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  return { world, id }
}

it('a lost attempt is waited for until a whole list has begun late enough: while lists fail time alone proves nothing', async () => {
  const { world, id } = await forgotten()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'Launching' })
  world.cloud.invisible.clear()
  await world.clock.advance(2 * mayComeForMs)
  await world.pass()
  expect(world.cloud.count('create'), 'the last whole list is from before it could be shown').toBe(1)
  world.cloud.listFault = undefined
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.attempt?.handle).toBe(id)
  expect(world.cloud.count('create')).toBe(1)
})

it('a lost attempt of which a whole list shows nothing that began late enough is replaced', async () => {
  const { world } = await forgotten()
  world.cloud.instances.clear()
  await world.clock.advance(mayComeForMs)
  await world.pass()
  expect(world.attempt).toBeUndefined()
  world.cloud.listFault = undefined
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.attempt?.handle).toBeDefined()
  expect(world.cloud.count('create')).toBe(2)
})

it('who is deleted without its attempt stays while lists fail, and takes along what the next one shows', async () => {
  const { world, id } = await forgotten()
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:00:00Z')
  await world.clock.advance(2 * mayComeForMs)
  await world.pass()
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  world.cloud.invisible.clear()
  world.cloud.listFault = undefined
  await world.clock.advance(60_000)
  await world.pass()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
})

/** Its first subnet is full, and the attempt after that is asked for in the next one. `copy`: of the first attempt. */
async function secondAttempt() {
  const world = new MachineWorld()
  const full = new CloudError('subnet', { code: 'SubnetFull', message: 'It is full.' })
  world.cloud.createFaults.push({ when: 'before', error: full })
  let copy = world.apiserver.copy()
  world.apiserver.onChange = () => {
    if (world.attempt?.n === 1 && !world.attempt.refused) copy = world.apiserver.copy()
  }
  for (let passes = 0; passes < 3; passes++) await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  expect(world.attempt).toMatchObject({ n: 2, handle: id })
  return { world, copy, id }
}

it('an attempt of an older copy that was refused since, and had another after it: that one has the instance', async () => {
  const { world, copy, id } = await secondAttempt()
  const asked = world.cloud.count('create')
  world.apiserver.putBack(copy)
  expect(world.attempt).toMatchObject({ n: 1 })
  expect(world.attempt?.handle).toBeUndefined()
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.attempt?.handle, 'something may come of a call that nobody remembers').toBeUndefined()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'Launching' })
  expect(world.ready?.message).toContain(`Instance ${id} belongs to another launch attempt`)
  await world.clock.advance(mayComeForMs)
  await world.pass()
  expect(world.attempt?.handle).toBe(id)
  expect(world.cloud.count('create')).toBe(asked)
  expect(world.cloud.instances.size).toBe(1)
})

it('an older attempt is not asked with again while no list can show yet what came of the one after it', async () => {
  const { world, copy, id } = await secondAttempt()
  world.cloud.invisible.add(id)
  await world.listed()
  world.apiserver.putBack(copy)
  const asked = world.cloud.count('create')
  for (let passes = 0; passes < 3; passes++) {
    await world.pass()
    await world.listed()
  }
  expect(world.attempt).toMatchObject({ n: 1 })
  expect(world.cloud.count('create')).toBe(asked)
  world.cloud.invisible.clear()
  await world.clock.advance(mayComeForMs)
  await world.pass()
  expect(world.attempt?.handle).toBe(id)
  expect(world.cloud.count('create')).toBe(asked)
})
