import { expect, it } from 'vitest'
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
