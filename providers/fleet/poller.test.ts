import { beforeEach, describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import { listedFleet, type FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import { machineDigest } from '../shared/ownership.ts'
import type { Fleet } from './fleet.ts'

let world: FleetWorld
let fleet: Fleet
beforeEach(async () => {
  ;({ world, fleet } = await listedFleet())
})

describe('pace', () => {
  it('lists at the poll interval while all is quiet', async () => {
    await world.make('default/a')
    await world.clock.advance(15_000)
    expect(await world.listsIn(60_000)).toBe(4)
  })

  it('lists every 3 s while something is pending or going', async () => {
    const { id } = await world.make('default/a')
    world.cloud.set(id, 'terminating')
    await world.clock.advance(15_000)
    expect(await world.listsIn(30_000)).toBe(10)
  })

  it('lists soon after an answer of our own, however quiet it was', async () => {
    const made = await world.make('default/a')
    await world.clock.advance(1_000)
    fleet.note(made, world.ctx)
    expect(await world.listsIn(3_000)).toBe(1)
  })

  it('a storm of answers costs no more lists than any busy time, and its end is seen soon', async () => {
    const made = await world.make('default/a')
    await world.clock.advance(15_000)
    const before = world.cloud.count('list')
    for (let at = 0; at < 30_000; at += 500) {
      fleet.note(made, world.ctx)
      await world.clock.advance(500)
    }
    expect(world.cloud.count('list') - before).toBeLessThanOrEqual(11)
    const after = world.cloud.count('list')
    fleet.note(made, world.ctx)
    await world.clock.advance(1_200)
    expect(world.cloud.count('list') - after).toBeGreaterThanOrEqual(1)
  })

  it('gives way when the cloud fails: 1, 2, 4 … 60 s, and what the cloud asks for', async () => {
    world.cloud.listFault = new CloudError('transient', { code: 'X', message: 'x' })
    await world.clock.advance(15_000)
    expect(await world.listsIn(1_000)).toBe(1)
    expect(await world.listsIn(1_999)).toBe(0)
    expect(await world.listsIn(1)).toBe(1)
    world.cloud.listFault = new CloudError('throttled', { code: 'X', message: 'x', retryAfterMs: 40_000 })
    await world.clock.advance(4_000)
    expect(await world.listsIn(39_999)).toBe(0)
    expect(await world.listsIn(1)).toBe(1)
  })

  it('does not list more often when more is wanted while the cloud fails', async () => {
    world.cloud.listFault = new CloudError('transient', { code: 'X', message: 'x' })
    await world.clock.advance(15_000 + 1_000 + 2_000 + 4_000)
    const waiting = fleet.aliveOf('o', world.ctx).catch(() => 'failed')
    fleet.hurry()
    expect(await world.listsIn(7_999)).toBe(0)
    expect(await world.listsIn(1)).toBe(1)
    expect(await waiting).toBe('failed')
    expect(fleet.trouble).toMatchObject({ code: 'X' })
  })
})

describe('changes', () => {
  it('wakes the machines whose instances came, world.changed or went, and no other', async () => {
    const a = await world.make('default/a')
    await world.make('default/b')
    await world.clock.advance(15_000)
    expect(world.changed.toSorted()).toEqual(['default/a', 'default/b'].map(machineDigest).toSorted())
    world.changed.length = 0
    await world.clock.advance(30_000)
    expect(world.changed).toEqual([])
    world.cloud.set(a.id, 'stopped')
    await world.clock.advance(15_000)
    expect(world.changed).toEqual([machineDigest('default/a')])
    world.changed.length = 0
    world.cloud.instances.delete(a.id)
    await world.clock.advance(15_000)
    expect(world.changed).toEqual([machineDigest('default/a')])
  })
})
