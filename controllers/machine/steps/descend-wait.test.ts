import { beforeEach, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { annotations } from '../../../api/labels.ts'
import type { ObjectMeta } from '../../../api/meta.ts'
import { descending, descendingWorld } from '../../../test/support/worlds/descending.ts'
import type { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await descendingWorld()
})

const { refuse, asked, passes, fallsBackTo } = descending(() => world)

it('all closed: it waits in place, says so, makes no call, and asks again at the end of a pause', async () => {
  refuse('capacity', 3)
  expect(await passes()).toMatchObject({ requeueAfterMs: 30_000 })
  expect(asked()).toHaveLength(3)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CapacityBackoff' })
  const { plans } = world
  await world.clock.advance(29_000)
  await passes()
  expect([asked().length, world.plans], 'a wait costs no plan').toEqual([3, plans])
  await world.clock.advance(1_000)
  await passes()
  expect(asked().slice(3)).toEqual(['Spot m5.large'])
  expect(world.cloud.instances.size).toBe(1)
})

it('another process asks no closed pool early, and keeps rung and tries', async () => {
  refuse('capacity', 3)
  await passes()
  const { tried, triedCount } = world.attempt ?? {}
  await world.restart()
  await passes()
  expect([asked().length, world.ready?.reason]).toEqual([3, 'CapacityBackoff'])
  expect(world.attempt).toMatchObject({ tried, triedCount })
  await world.clock.advance(15_000)
  await passes()
  expect(asked()).toHaveLength(4)
  expect(world.attempt).toMatchObject({ n: 4, triedCount: 3 })
})

it('all subnets are full: it waits without a write, a plan or a call, and then asks again', async () => {
  refuse('subnet', 3)
  expect(await passes()).toMatchObject({ requeueAfterMs: 30_000 })
  const before = [world.machine?.metadata.resourceVersion, world.plans, asked().length]
  await world.clock.advance(10_000)
  expect(await passes()).toMatchObject({ requeueAfterMs: 20_000 })
  expect([world.machine?.metadata.resourceVersion, world.plans, asked().length]).toEqual(before)
  await world.clock.advance(20_000)
  await passes()
  expect(asked()).toHaveLength(4)
  expect(world.cloud.instances.size).toBe(1)
})

it('an empty reservation closes nothing for others, and this machine asks for it after pauses that double', async () => {
  fallsBackTo({ capacityType: 'OnDemand', after: '10h' })
  refuse('reservation', 9)
  const times: number[] = []
  const begun = world.clock.now()
  for (let tick = 0; tick < 50; tick++) {
    const before = asked().length
    await passes()
    if (asked().length > before) times.push(world.clock.now() - begun)
    await world.clock.advance(5_000)
  }
  expect(times).toEqual([0, 30_000, 90_000, 210_000])
})

it('full subnets are asked again after pauses that double, each of them once', async () => {
  fallsBackTo({ capacityType: 'OnDemand', after: '10h' })
  refuse('subnet', 30)
  await passes()
  expect(asked()).toHaveLength(3)
  expect(world.ready?.reason).toBe('CapacityBackoff')
  await world.clock.advance(20_000)
  await passes()
  expect(asked()).toHaveLength(3)
  await world.clock.advance(120_000)
  await passes()
  expect(asked()).toHaveLength(6)
})

it('goes on in the right account after the pinned one was corrected while it waits', async () => {
  refuse('capacity', 3)
  await passes()
  const { metadata, ...rest } = world.apiserver.get('AWSCluster', 'default/c1') as never as { metadata: ObjectMeta }
  const account = '444455556666'
  const corrected = { ...metadata, annotations: { [annotations.account]: account } }
  world.apiserver.put('AWSCluster', { ...rest, metadata: corrected })
  world.cloud.account = account
  for (let lists = 0; lists < 4; lists++) {
    await world.listed()
    await passes()
  }
  expect(world.cloud.instances.size).toBe(1)
  expect(world.attempt).toMatchObject({ n: 4, scope: { account } })
})

it('a machine that nothing can be planned for looks again after pauses that grow, and asks for nothing', async () => {
  world.planFault = new CloudError('invalid', { code: 'InvalidSpec', message: 'No subnet in this zone.' })
  const { plans } = world
  for (let second = 0; second < 60; second++) {
    await passes()
    await world.clock.advance(1_000)
  }
  expect(asked()).toEqual([])
  expect(world.plans - plans).toBeLessThan(3 * 10)
  expect(world.ready).toMatchObject({ status: 'Unknown' })
})
