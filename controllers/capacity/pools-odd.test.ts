import { beforeEach, expect, it } from 'vitest'
import { ApiError } from '../runtime/client/api-error.ts'
import {
  announced,
  fellBack,
  poolGroupOf,
  PoolsWorld,
  refused,
  running,
} from '../../test/support/worlds/pools-world.ts'

const second = 1_000
const waiter = { cluster: 'default/c2', policyKey: 'no policy' }

let world: PoolsWorld

beforeEach(() => {
  world = new PoolsWorld()
})

it.each(['quota', 'price'] as const)(
  'deleting forgets a %s that a machine with fallback was refused by',
  async (kind) => {
    world.look([fellBack('m1', world.now - second, world.now, { from: 'm5.large', to: 'm5a.large', kind })])
    await world.pass()
    const closed = [...world.objects.objects.values()].find(({ status }) => status?.summary?.state === 'Closed')
    world.delete(closed?.metadata.name ?? '')
    const scope = 'aws/default/1/us-east-1'
    const names = { quota: `quota ${scope} Spot standard 2`, price: `price ${scope} Spot:m5.large:us-east-1a default` }
    expect(world.memory.factsFor(waiter, names[kind]).served?.at).toBe(world.now)
  },
)

it('however many prices a tenant writes, one object does not push the facts of others out of the memory', async () => {
  for (let n = 0; n < 2_000; n++) {
    const types = { from: 'm5.large', to: 'm5a.large', kind: 'price' } as const
    const { infra, ...looked } = fellBack('m1', world.now - second, world.now, types)
    const spec = { spotMarketOptions: { maxPrice: `0.${1_000 + n}` } }
    world.look([{ ...looked, infra: infra && { ...infra, spec } }])
  }
  await world.pass()
  const before = world.memory.size
  for (const name of world.objects.objects.keys()) world.delete(name)
  expect(world.memory.size - before).toBeLessThan(200)
  expect(
    world.memory.factsFor(waiter, 'price aws/default/1/us-east-1 Spot:m5.large:us-east-1a 0.2999').served,
  ).toBeDefined()
})

it('what deleting has forgotten stays forgotten in the next process, also what is not sold', async () => {
  world.look([refused('m1', world.now - second)])
  await world.pass()
  world.delete(world.name)
  const deletedAt = world.now
  await world.pass()
  await world.clock.advance(3_600 * second)
  world.restart()
  world.look([running('m2', world.now, { type: 'c5.large' })])
  const unsold = world.memory.factsFor(waiter, `unsold ${poolGroupOf()}`)
  expect(unsold.served).toEqual({ requestedAt: deletedAt, at: deletedAt })
})

it('deleting forgets what another manager was refused, also in an account that no machine here has used yet', async () => {
  const other = new PoolsWorld('capspot-system/two', world)
  other.look([refused('b', world.now)])
  await other.pass()
  world.restart()
  world.delete(world.name)
  world.look([running('y', world.now, { type: 'c5.large' })])
  expect(world.memory.factsFor(waiter, poolGroupOf())).toEqual({})
})

it('a refusal that a clock ahead has written is not told anew with each look at the object', async () => {
  const { objects, clock } = world
  const ahead = new PoolsWorld('capspot-system/two', { objects })
  await ahead.clock.advance(5 * 60 * second)
  ahead.look([refused('b', ahead.now, { account: '1' })])
  await ahead.pass()
  const [object] = objects.objects.values()
  world.look([running('y', world.now, { type: 'c5.large', account: '1' })])
  const told = new Set<number | undefined>()
  for (let minutes = 0; minutes < 10; minutes++) {
    if (object) world.pools.hear(object, world.now)
    told.add(world.memory.factsFor(waiter, poolGroupOf('m5.large', '1')).refusedAt)
    await clock.advance(60 * second)
  }
  expect(told).toEqual(new Set([undefined, ahead.now]))
})

it.each([
  ['Node', 'Open', 0],
  ['Queue', 'Avoided', 5 * 60 * second],
] as const)(
  'what a %s announces counts, and the object is %s, also for the next process',
  async (source, state, ms) => {
    const began = world.now
    world.look([running('m1', began)])
    await world.pass()
    await world.clock.advance(60 * second)
    const announcedAt = world.now
    const looked = announced('m1', began, { source, at: announcedAt })
    world.look([looked])
    await world.clock.advance(60 * second)
    await world.pass()
    expect(world.entry()).toMatchObject({ state, interruptions: 1 })
    world.restart()
    world.look([looked])
    await world.clock.advance(60 * second)
    await world.pass()
    expect(world.entry()).toMatchObject({ state, interruptions: 1 })
    const { avoidedUntil = announcedAt } = world.memory.factsFor(waiter, poolGroupOf())
    expect(avoidedUntil).toBe(announcedAt + ms)
  },
)

it('of a hundred accounts, as many as an object has room for have an entry: those that used it last', async () => {
  const { objects, clock } = world
  const other = new PoolsWorld('capspot-system/two', { objects, clock })
  const look = (n: number) => refused(`m${n}`, world.now, { account: `${1000 + n}` })
  other.look([look(999)])
  await other.pass()
  const all = []
  for (let n = 0; n < 100; n++) {
    all.push(look(n))
    world.look(all)
    await world.pass()
    await clock.advance(second)
  }
  await clock.advance(60 * second)
  await world.pass()
  await other.pass()
  const own = objects.get(world.name)?.status?.managers?.filter(({ manager }) => manager === world.manager) ?? []
  expect(own.length).toBeGreaterThan(16)
  expect(own.length).toBeLessThan(32)
  const written = objects.writes.length
  for (let n = 0; n < 10; n++) {
    await clock.advance(30 * second)
    world.look(all)
    await world.pass()
    await other.pass()
  }
  expect(objects.writes.length - written, 'they agree').toBe(0)
})

it.each([
  ['an account', 'capspot-system/one'],
  ['a manager', 'capspot-system/two'],
])('what %s has shown says nothing more when it has used the offering for no week', async (_, manager) => {
  const { objects, clock } = world
  const gone = manager === world.manager ? world : new PoolsWorld(manager, { objects, clock })
  gone.look([refused('a', world.now, { account: '1' })], 'default/gone')
  await gone.pass()
  gone.look([], 'default/gone')
  const states = []
  for (let days = 0; days <= 7; days++) {
    world.look([running('b', world.now, { account: '2' })])
    await world.pass()
    states.push(objects.get(world.name)?.status?.summary?.state)
    await clock.advance(24 * 3_600 * second)
  }
  expect(states).toEqual(['Closed', ...Array.from({ length: 6 }, () => 'Unknown'), 'Open'])
  const own = objects.get(world.name)?.status?.managers?.filter((entry) => entry.manager === world.manager)
  expect(own?.map(({ state }) => state)).toEqual(['Open'])
})

it('three managers with many accounts each keep to the room of the object', async () => {
  const { objects, clock } = world
  const managers = [world, ...['two', 'three'].map((name) => new PoolsWorld(name, { objects, clock }))]
  for (const [nth, manager] of managers.entries()) {
    const accounts = Array.from({ length: 30 }, (__, n) => `${nth}${100 + n}`)
    manager.look(accounts.map((account) => refused(`m${account}`, world.now, { account })))
    await manager.pass()
  }
  for (const { manager } of managers) expect(world.entry(manager)).toBeDefined()
  expect(objects.get(world.name)?.status?.managers?.length).toBeLessThanOrEqual(64)
})

it('an object that the API server finds invalid is tried once a minute, and stops no other', async () => {
  const { objects, clock } = world
  const { apply } = objects.client
  let tries = 0
  objects.client.apply = (kind, object, options) => {
    const isInvalid = JSON.stringify(object).includes('bad-large') && options.subresource === 'status'
    if (isInvalid) tries++
    const invalid = new ApiError({ status: 422, reason: 'Invalid', message: 'Too many: 65' })
    return isInvalid ? Promise.reject(invalid) : apply(kind, object, options)
  }
  const types = ['bad', ...Array.from({ length: 20 }, (_, n) => `t${n}`)]
  world.look(types.map((type) => refused(type, world.now, { type: `${type}.large` })))
  await world.pass()
  const shown = () => [...objects.objects.values()].filter(({ status }) => status !== undefined)
  expect(shown()).toHaveLength(20)
  for (let n = 0; n < 18; n++) {
    await clock.advance(10 * second)
    await world.pass()
  }
  expect(tries).toBe(4)
})
