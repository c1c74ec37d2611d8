import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { FakeCloud } from '../../test/support/fakes/fake-cloud.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { Scope } from '../../api/scope.ts'
import { Fleets, movedForMs, unusedForMs } from './fleets.ts'

const home: Scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
const away: Scope = { ...home, region: 'eu-west-1' }

class World {
  readonly clock = new FakeClock()
  readonly cloud = new FakeCloud()
  readonly ended: string[] = []
  readonly stop = new AbortController()
  readonly fleets = new Fleets(
    { pollIntervalMs: 15_000, onChange: () => {}, onEnd: ({ region }) => this.ended.push(region) },
    quietCtx({ clock: this.clock, signal: this.stop.signal }),
  )

  use(user: string, scope: Scope = home) {
    return this.fleets.of(scope, this.cloud, user)
  }

  /** How many lists there are in a minute from now on. */
  async listsInAMinute(): Promise<number> {
    const before = this.cloud.count('list')
    await this.clock.advance(60_000)
    return this.cloud.count('list') - before
  }
}

it('a fleet that its last user has left ends after a while: it is listed no more, and its end is told', async () => {
  const world = new World()
  world.use('AWSCluster default/c1')
  world.use('AWSMachine default/m1')
  world.fleets.leave('AWSMachine default/m1')
  await world.clock.advance(2 * unusedForMs)
  expect(await world.listsInAMinute(), 'one still uses it').toBeGreaterThan(0)
  world.fleets.leave('AWSCluster default/c1')
  await world.clock.advance(unusedForMs)
  expect(await world.listsInAMinute()).toBe(0)
  expect(world.ended).toEqual(['us-east-1'])
  expect(world.clock.pending).toBe(0)
})

it('whoever comes back in time finds the same fleet, with what it knows', async () => {
  const world = new World()
  const fleet = world.use('AWSMachine default/m1')
  await world.clock.advance(15_000)
  world.fleets.leave('AWSMachine default/m1')
  await world.clock.advance(unusedForMs - 1)
  expect(world.use('AWSMachine default/m2')).toBe(fleet)
  await world.clock.advance(2 * unusedForMs)
  expect(world.use('AWSMachine default/m2')).toBe(fleet)
  expect(world.ended).toEqual([])
})

it('a user has one scope at a time: one machine that names another each second leaves one fleet behind', async () => {
  const world = new World()
  for (let nth = 0; nth < 600; nth++) {
    world.use('AWSMachine default/m1', { ...home, region: `us-east-${nth}` })
    await world.clock.advance(1_000)
  }
  await world.clock.advance(unusedForMs)
  expect(world.ended).toHaveLength(599)
  const calls = await world.listsInAMinute()
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThanOrEqual(20)
})

it('a scope whose account is learnt is not listed twice: the fleet that its users have left for it ends soon', async () => {
  const world = new World()
  const known: Scope = { ...home, account: '111122223333' }
  for (const user of ['AWSCluster default/c1', 'AWSMachine default/m1']) world.use(user)
  await world.clock.advance(15_000)
  for (const user of ['AWSCluster default/c1', 'AWSMachine default/m1']) world.use(user, known)
  await world.clock.advance(movedForMs)
  expect(world.ended).toEqual(['us-east-1'])
  expect(await world.listsInAMinute()).toBeLessThanOrEqual(5)
})

it('what has ended begins anew for its next user', async () => {
  const world = new World()
  const first = world.use('AWSMachine default/m1')
  world.use('AWSMachine default/m1', away)
  await world.clock.advance(unusedForMs)
  const second = world.use('AWSMachine default/m2')
  expect(second).not.toBe(first)
  await world.clock.advance(0)
  expect(second.hasSynced).toBe(true)
})

it('all end with the signal, those too that nobody uses', async () => {
  const world = new World()
  world.use('AWSMachine default/m1')
  world.use('AWSMachine default/m2', away)
  world.fleets.leave('AWSMachine default/m2')
  world.stop.abort(new Error('over'))
  await world.fleets.ended()
  expect(world.clock.pending).toBe(0)
})
