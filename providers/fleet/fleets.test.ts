import { describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import type { Scope } from '../../api/scope.ts'
import { FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import { unusedForMs } from './fleets.ts'

const home: Scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
const away: Scope = { ...home, region: 'eu-west-1' }

it('a fleet that its last user has left ends after a while; its begin and its end are told', async () => {
  await using world = new FleetWorld()
  world.use('AWSCluster default/c1', home)
  world.use('AWSMachine default/m1', home)
  world.leave('AWSMachine default/m1')
  await world.clock.advance(2 * unusedForMs)
  expect(await world.listsIn(60_000), 'one still uses it').toBeGreaterThan(0)
  world.leave('AWSCluster default/c1')
  await world.clock.advance(unusedForMs)
  expect(await world.listsIn(60_000)).toBe(0)
  expect(world.begun).toEqual([home])
  expect(world.ended).toEqual([home])
  expect(world.clock.pending).toBe(0)
})

it('a user that comes back in time finds the same fleet, with what it knows', async () => {
  await using world = new FleetWorld()
  const fleet = world.use('AWSMachine default/m1', home)
  await world.clock.advance(15_000)
  world.leave('AWSMachine default/m1')
  await world.clock.advance(unusedForMs - 1)
  expect(world.use('AWSMachine default/m2', home)).toBe(fleet)
  await world.clock.advance(2 * unusedForMs)
  expect(world.use('AWSMachine default/m2', home)).toBe(fleet)
  expect(world.ended).toEqual([])
})

it('a user has one scope at a time: one machine that names another each second leaves one fleet behind', async () => {
  await using world = new FleetWorld()
  for (let nth = 0; nth < 600; nth++) {
    world.use('AWSMachine default/m1', { ...home, region: `us-east-${nth}` })
    await world.clock.advance(1_000)
  }
  await world.clock.advance(unusedForMs)
  expect(world.ended).toHaveLength(599)
  const calls = await world.listsIn(60_000)
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThanOrEqual(20)
})

it('what has ended begins anew for its next user', async () => {
  await using world = new FleetWorld()
  const first = world.use('AWSMachine default/m1', home)
  world.use('AWSMachine default/m1', away)
  await world.clock.advance(unusedForMs)
  const second = world.use('AWSMachine default/m2', home)
  expect(second).not.toBe(first)
  await world.clock.advance(0)
  expect(second.hasSynced).toBe(true)
})

it('all end with the signal, those too that nobody uses', async () => {
  await using world = new FleetWorld()
  world.use('AWSMachine default/m1', home)
  world.use('AWSMachine default/m2', away)
  world.leave('AWSMachine default/m2')
  await world.stop()
  expect(world.clock.pending).toBe(0)
})

describe('an instance', () => {
  it('is found by its id in every fleet of its cloud, and in no other cloud', async () => {
    await using world = new FleetWorld()
    const { id } = await world.make('default/m1')
    world.use('AWSMachine default/m1', home)
    expect(world.find('aws', id), 'before the first list').toBeUndefined()
    await world.clock.advance(0)
    expect(world.find('aws', id)).toMatchObject({ id, state: 'running' })
    expect(world.find('azure', id)).toBeUndefined()
    expect(world.find('aws', 'i-unknown')).toBeUndefined()
  })

  it('is found as it was last listed, and in an answer that is newer', async () => {
    await using world = new FleetWorld()
    const made = await world.make('default/m1')
    const fleet = world.use('AWSMachine default/m1', home)
    await world.clock.advance(0)
    world.cloud.set(made.id, 'terminated')
    expect(world.find('aws', made.id)?.state).toBe('running')
    fleet.note({ ...made, state: 'terminating' }, world.ctx)
    expect(world.find('aws', made.id)?.state).toBe('terminating')
    await world.clock.advance(15_000)
    expect(world.find('aws', made.id)?.state).toBe('terminated')
  })
})

describe('an id that somebody names', () => {
  it('is foreign by a complete list that began later, and not before', async () => {
    await using world = new FleetWorld()
    await world.clock.advance(1_000)
    world.use('AWSMachine default/m1', home)
    await world.clock.advance(0)
    const since = world.clock.monotonic()
    expect(world.isForeign(home, 'i-stranger', since)).toBe(false)
    await world.clock.advance(15_000)
    expect(world.isForeign(home, 'i-stranger', since)).toBe(true)
    expect(world.listed).toEqual(['aws us-east-1', 'aws us-east-1'])
  })

  it('is not foreign while a list shows an instance of ours with it, nor by a list that lacks a zone', async () => {
    await using world = new FleetWorld()
    const { id } = await world.make('default/m1')
    world.use('AWSMachine default/m1', home)
    await world.clock.advance(15_000)
    expect(world.isForeign(home, id, 0)).toBe(false)
    world.cloud.silentZones.add('z1')
    const since = world.clock.monotonic()
    await world.clock.advance(60_000)
    expect(world.isForeign(home, 'i-stranger', since)).toBe(false)
  })

  it('is foreign when its instance has ended: nobody waits for it any more', async () => {
    await using world = new FleetWorld()
    const { id } = await world.make('default/m1')
    world.use('AWSMachine default/m1', home)
    await world.clock.advance(15_000)
    world.cloud.set(id, 'terminated')
    await world.clock.advance(15_000)
    expect(world.isForeign(home, id, 0)).toBe(true)
  })

  it('is not foreign by a list of another region, or of another account', async () => {
    await using world = new FleetWorld()
    world.use('AWSMachine default/m1', { ...home, account: '123456789012' })
    await world.clock.advance(30_000)
    expect(world.isForeign(away, 'i-stranger', 0)).toBe(false)
    expect(world.isForeign({ ...home, account: '210987654321' }, 'i-stranger', 0)).toBe(false)
    expect([home, away, { ...home, account: '210987654321' }].map((scope) => world.isListed(scope))).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('a list at once', () => {
  it('comes at once in that region, and in no other', async () => {
    await using world = new FleetWorld()
    world.use('AWSMachine default/m1', home)
    world.use('AWSMachine default/m2', away)
    await world.clock.advance(5_000)
    world.now('aws', home.region)
    expect(await world.listsIn(0)).toBe(1)
    world.now('aws', 'us-west-2')
    world.now('gcp', home.region)
    expect(await world.listsIn(0)).toBe(0)
  })

  it('that is wanted while one is under way comes after it: that one may have missed what happened', async () => {
    await using world = new FleetWorld()
    world.use('AWSMachine default/m1', home)
    world.now('aws', home.region)
    expect(await world.listsIn(999)).toBe(0)
    expect(await world.listsIn(1)).toBe(1)
    expect(await world.listsIn(14_999)).toBe(0)
  })

  it('is one more in a second at most, however often it is wanted', async () => {
    await using world = new FleetWorld()
    world.use('AWSMachine default/m1', home)
    await world.clock.advance(5_000)
    const before = world.cloud.count('list')
    for (let at = 0; at < 9_900; at += 100) {
      for (let nth = 0; nth < 10; nth++) world.now('aws', home.region)
      await world.clock.advance(100)
    }
    expect(world.cloud.count('list') - before).toBe(10)
  })

  it('waits for the pause of a cloud that fails', async () => {
    await using world = new FleetWorld()
    world.cloud.listFault = new CloudError('transient', { code: 'X', message: 'x' })
    world.use('AWSMachine default/m1', home)
    await world.clock.advance(1_000 + 2_000 + 4_000)
    world.now('aws', home.region)
    expect(await world.listsIn(7_999)).toBe(0)
    expect(await world.listsIn(1)).toBe(1)
  })
})
