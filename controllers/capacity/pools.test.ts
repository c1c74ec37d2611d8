import { beforeEach, expect, it } from 'vitest'
import { ApiError } from '../runtime/client/api-error.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import {
  fellBack,
  interrupted,
  poolGroupOf,
  PoolsWorld,
  refused,
  running,
} from '../../test/support/worlds/pools-world.ts'
import { CapacityPools } from './pools.ts'

const second = 1_000
const hour = 3_600_000
const day = 24 * hour
const waiter = { cluster: 'default/c2', policyKey: 'no policy' }

let world: PoolsWorld

beforeEach(() => {
  world = new PoolsWorld()
})

const summary = () => world.objects.get(world.name)?.status?.summary

it('a transition is written at once, and what stands there is the offering, its state and its next probe', async () => {
  world.look([refused('m1', world.now - second)])
  await world.pass()
  expect(world.objects.get(world.name)?.spec).toEqual({
    cloud: 'aws',
    region: 'us-east-1',
    capacityType: 'Spot',
    instanceType: 'm5.large',
    zone: 'us-east-1a',
  })
  expect(summary()).toMatchObject({ state: 'Closed', reason: 'InsufficientCapacity', failures: 1 })
  expect(Date.parse(summary()?.nextProbe ?? '')).toBe(world.now + 29 * second)
  await world.clock.advance(40 * second)
  world.look([running('m2', world.now - second)])
  await world.pass()
  expect(summary()).toMatchObject({ state: 'Open', failures: 0 })
})

it('a machine that went on shows what refused it, and what it has', async () => {
  world.look([fellBack('m1', world.now - 5 * second, world.now, { from: 'm5.large', to: 'm5a.large' })])
  await world.pass()
  const states = [...world.objects.objects.values()].map(({ spec, status }) => [
    spec.instanceType,
    status?.summary?.state,
  ])
  expect(Object.fromEntries(states)).toEqual({ 'm5.large': 'Closed', 'm5a.large': 'Open' })
})

it('an instance of an offering that refused its machine before is in use, and its hours count', async () => {
  const days = 8
  const machine = fellBack('m1', world.now - 60 * second, world.now, { from: 'm5.large', to: 'm5.large' })
  world.look([machine])
  for (let hours = 0; hours < days * 24; hours++) {
    await world.pass()
    await world.clock.advance(hour)
  }
  expect(world.objects.objects.size, 'more than a week').toBe(1)
  world.look([machine])
  await world.pass()
  expect(world.entry()).toMatchObject({ state: 'Open', instanceSeconds: days * 24 * 3600 })
})

it('a refusal under constraints closes the offering for nobody else, so it is not shown', async () => {
  const spec = { placementGroupName: 'tight' }
  world.look([refused('m1', world.now, { spec }), running('m2', world.now - second)])
  await world.pass()
  expect(summary()).toMatchObject({ state: 'Open', failures: 0 })
})

it('1,000 offerings in steady use make one write an hour each, and unused ones none', async () => {
  const start = world.now
  const types = Array.from({ length: 1_000 }, (_, n) => `t${n}.large`)
  const all = types.map((type) => running(`m-${type}`, start, { type }))
  world.look(all)
  await world.pass()
  expect(world.objects.objects.size).toBe(1_000)
  const written = world.objects.writes.length
  const passes = async (howMany: number) => {
    for (let n = 0; n < howMany; n++) {
      await world.clock.advance(5 * 60 * second)
      world.look(world.pools.of(world.name, world.now) && isUsed ? all : [])
      await world.pass()
    }
  }
  let isUsed = true
  await passes(11)
  expect(world.objects.writes.length - written).toBe(0)
  await passes(2)
  expect(world.objects.writes.length - written).toBe(1_000)
  isUsed = false
  await passes(14)
  const afterUse = world.objects.writes.length
  await passes(24)
  expect(world.objects.writes.length - afterUse).toBe(0)
})

it('other changes are written together, 30 s after the last write', async () => {
  world.look([running('m0', world.now)])
  await world.pass()
  const written = world.objects.writes.length
  for (let n = 1; n < 30; n++) {
    await world.clock.advance(second)
    world.look([running(`m${n}`, world.now)])
    await world.pass()
  }
  expect(world.objects.writes.length - written).toBe(0)
  await world.clock.advance(second)
  await world.pass()
  expect(world.objects.writes.length - written).toBe(1)
})

it('interruptions count once each, hours of all instances count, and a restart changes neither', async () => {
  const start = world.now
  const fleet = ['a', 'b', 'c', 'd'].map((name) => running(name, start))
  world.look(fleet)
  await world.pass()
  await world.clock.advance(5 * hour)
  world.look([interrupted('a', world.now - second), ...fleet.slice(1)])
  world.look([interrupted('a', world.now - second), ...fleet.slice(1)])
  await world.pass()
  expect(world.entry()).toMatchObject({ state: 'Avoided', interruptions: 1, instanceSeconds: 20 * 3600 })
  expect(summary()?.interruptionsPer1000Hours).toBe(50)
  world.restart()
  await world.clock.advance(hour)
  world.look([interrupted('a', world.now - hour - second), ...fleet.slice(1)])
  await world.clock.advance(hour)
  world.look([interrupted('b', world.now - second), ...fleet.slice(2)])
  await world.pass()
  expect(world.entry()).toMatchObject({ interruptions: 2, instanceSeconds: 26 * 3600 })
})

it('a look before the objects were read waits for them, so that nothing is counted from the beginning', async () => {
  const start = world.now
  world.look([running('a', start)])
  await world.pass()
  await world.clock.advance(10 * hour)
  await world.pass()
  const stored = [...world.objects.objects.values()]
  const { manager, memory, name, now } = world
  const late = new CapacityPools({ manager, memory, wake: () => {} })
  late.look('default/c1', [running('a', start)], now)
  expect(late.of(name, now)).toBeUndefined()
  late.restore(stored, now)
  const [record] = late.of(name, now)?.records.values() ?? []
  expect(record?.seconds).toBe(10 * 3600)
})

it('deleting forgets: waiting machines of all Clusters may ask, older failures close nothing, also after a restart', async () => {
  const failed = refused('m1', world.now - second)
  world.look([failed])
  await world.pass()
  const { name } = world
  expect(world.memory.factsFor(waiter, poolGroupOf()).served).toBeUndefined()
  world.delete(name)
  const facts = world.memory.factsFor(waiter, poolGroupOf())
  expect(facts.served?.at).toBe(world.now)
  expect(world.memory.factsFor(waiter, `unsold ${poolGroupOf()}`).served?.at, 'for machines with fallback').toBe(
    world.now,
  )
  expect(facts.served?.requestedAt).toBeGreaterThan(facts.refusedAt ?? Infinity)
  await world.pass()
  expect(world.entry()).toMatchObject({ state: 'Unknown', failures: 0 })
  expect(world.entry()?.forgottenAt).toBeDefined()
  world.restart()
  world.look([failed])
  await world.pass()
  expect(world.entry()).toMatchObject({ state: 'Unknown', failures: 0 })
  expect(world.memory.factsFor(waiter, poolGroupOf()).served?.requestedAt).toBeGreaterThan(
    failed.outcome.is === 'failed' ? failed.outcome.at : Infinity,
  )
  await world.clock.advance(second)
  world.look([refused('m2', world.now)])
  await world.pass()
  expect(world.entry()).toMatchObject({ state: 'Closed', failures: 1 })
})

it('two managers keep an entry each, and both write the same summary', async () => {
  const { objects, clock } = world
  const other = new PoolsWorld('capspot-system/two', { objects, clock })
  world.look([running('a', world.now)])
  await world.pass()
  other.look([refused('b', world.now)])
  await other.pass()
  expect([world.entry()?.state, other.entry()?.state]).toEqual(['Open', 'Closed'])
  expect(summary()?.state).toBe('Closed')
  const written = objects.writes.length
  for (let n = 0; n < 20; n++) {
    await clock.advance(10 * second)
    await world.pass()
    await other.pass()
  }
  expect(summary()?.state).toBe('Closed')
  expect(objects.writes.length - written, 'they agree').toBe(0)
})

it('a process that starts learns what others were refused, in the account of its machines and in no other', async () => {
  const { objects, clock } = world
  const other = new PoolsWorld('capspot-system/two', { objects, clock })
  other.look([refused('b', world.now, { account: '1' })])
  await other.pass()
  world.restart()
  world.look([running('x', world.now, { type: 'c5.large', account: '2' })])
  expect(world.memory.factsFor(waiter, poolGroupOf('m5.large', '2'))).toEqual({})
  world.look([running('y', world.now, { type: 'c5.large', account: '1' })])
  expect(world.memory.factsFor(waiter, poolGroupOf('m5.large', '1')).refusedAt).toBe(world.now)
})

it('two accounts have an entry each in one object, which names neither', async () => {
  world.look([
    refused('a', world.now, { account: '111122223333' }),
    running('b', world.now, { account: '444455556666' }),
  ])
  await world.pass()
  const [object, ...more] = world.objects.objects.values()
  expect(more).toEqual([])
  expect(object?.status?.managers?.map(({ state }) => state).toSorted()).toEqual(['Closed', 'Open'])
  expect(JSON.stringify(object)).not.toMatch(/111122223333|444455556666|default|m-a|c1/)
})

it('an object goes after a week without use by any manager', async () => {
  const { objects, clock } = world
  const other = new PoolsWorld('capspot-system/two', { objects, clock })
  world.look([refused('a', world.now)])
  await world.pass()
  await clock.advance(2 * day)
  other.look([refused('b', world.now)])
  await other.pass()
  world.look([])
  other.look([])
  await clock.advance(6 * day)
  await world.pass()
  expect(objects.objects.size).toBe(1)
  await clock.advance(day + hour)
  await world.pass()
  await other.pass()
  expect(objects.objects.size).toBe(0)
  await other.pass()
  expect(objects.objects.size).toBe(0)
})

it('an object that another manager uses again, before our cache shows it, is not deleted', async () => {
  const { objects, clock } = world
  const other = new PoolsWorld('capspot-system/two', { objects, clock })
  world.look([refused('a', world.now)])
  await world.pass()
  const { name } = world
  const unused = objects.get(name)
  await clock.advance(7 * day + hour)
  other.look([refused('b', other.now)], 'default/c2')
  await other.pass()
  const get = objects.get.bind(objects)
  objects.get = () => unused
  await expect(world.writer.reconcile(name, quietCtx({ clock }))).rejects.toMatchObject({ status: 409 })
  objects.get = get
  expect(objects.get(name)?.status?.managers?.map(({ manager }) => manager)).toContain('capspot-system/two')
})

it('refused writes are said once, tried once a minute for all objects, and thrown at nobody', async () => {
  const { objects, clock } = world
  objects.refusal = new ApiError({ status: 403, reason: 'Forbidden', message: 'capacitypools is forbidden' })
  world.restart()
  world.look(['a', 'b', 'c'].map((name) => refused(name, world.now, { type: `${name}.large` })))
  const names = new Set(world.woken)
  for (let n = 0; n < 30; n++) {
    for (const name of names) world.woken.add(name)
    await world.pass()
    await clock.advance(10 * second)
  }
  expect(objects.tries).toBe(5)
  expect(world.log.lines.filter((line) => line.includes('CapacityPools cannot be written'))).toHaveLength(1)
  objects.refusal = undefined
  await clock.advance(60 * second)
  for (const name of names) world.woken.add(name)
  await world.pass()
  expect(objects.objects.size).toBe(3)
})

it('an object that somebody made under another name, or of no cloud, is left alone', async () => {
  const { objects } = world
  const spec = { cloud: 'moon', region: 'r', capacityType: 'Spot' as const, instanceType: 't', zone: 'z' }
  const managers = [{ manager: world.manager, account: '00000000', state: 'Closed' as const, failures: 9 }]
  objects.objects.set('stray', { metadata: { name: 'stray' }, spec, status: { managers } } as never)
  world.restart()
  await world.pass()
  expect(objects.writes).toEqual([])
})
