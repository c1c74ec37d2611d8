import { beforeEach, describe, expect, it } from 'vitest'
import type { Instance } from '../../api/instance.ts'
import { listedFleet, refOf, type FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import { machineDigest } from '../shared/ownership.ts'
import { visibilityGraceMs } from '../wire/limits.ts'
import type { Fleet } from './fleet.ts'

let world: FleetWorld
let fleet: Fleet
beforeEach(async () => {
  ;({ world, fleet } = await listedFleet())
})

describe('a list that does not speak of a zone', () => {
  const [silent, other] = ['us-east-1a', 'us-east-1b']
  const refIn = (zone: string, instance: Instance) => ({ ...refOf(instance), zone })
  const lookAt = (instance: Instance, zone = instance.zone) => fleet.look(refIn(zone, instance), true, world.ctx)
  let quiet: Instance
  let near: Instance
  beforeEach(async () => {
    quiet = await world.make('default/quiet')
    near = await world.make('default/near')
    world.cloud.set(near.id, 'running', { zone: other })
    near = world.cloud.instances.get(near.id) ?? near
    await world.clock.advance(15_000)
    world.changed.length = 0
    world.cloud.silentZones.add(silent)
  })

  it('tells of all others as ever, at the usual pace', async () => {
    world.cloud.set(near.id, 'stopped')
    await world.clock.advance(15_000)
    expect(world.changed).toEqual([machineDigest('default/near')])
    expect(lookAt(near)).toMatchObject({ is: 'seen', instance: { state: 'stopped' } })
    world.cloud.instances.delete(near.id)
    await world.clock.advance(15_000)
    const verdict = fleet.confirmGone(refIn(other, near), world.ctx)
    await world.clock.advance(0)
    expect(await verdict).toMatchObject({ is: 'gone' })
    expect(fleet.trouble).toMatchObject({ code: 'PartialList', message: expect.stringContaining(silent) as string })
  })

  it('says nothing of what is there: it stays as it was last seen, and wakes nobody until it is seen again', async () => {
    world.cloud.set(quiet.id, 'stopped')
    await world.clock.advance(600_000)
    expect(world.changed).toEqual([])
    expect(lookAt(quiet)).toMatchObject({ is: 'seen', instance: { state: 'running' } })
    world.cloud.silentZones.clear()
    await world.clock.advance(15_000)
    expect(world.changed).toEqual([machineDigest('default/quiet')])
    expect(lookAt(quiet)).toMatchObject({ is: 'seen', instance: { state: 'stopped' } })
    expect(fleet.trouble).toBeUndefined()
  })

  it('makes nothing missing or gone that may be there: neither in it nor where the zone is not known', async () => {
    await world.clock.advance(15_000)
    const lost = { ...quiet, id: 'i-lost' }
    expect(lookAt(lost)).toEqual({ is: 'awaited' })
    expect(fleet.look(refOf(lost), true, world.ctx)).toEqual({ is: 'awaited' })
    expect(lookAt(lost, other)).toEqual({ is: 'missing' })
    const asked = [refIn(silent, lost), refOf(lost)].map((which) => fleet.confirmGone(which, world.ctx))
    const verdicts = Promise.allSettled(asked)
    await world.clock.advance(0)
    for (const verdict of await verdicts) expect(verdict).toMatchObject({ reason: { code: 'PartialList' } })
    world.cloud.silentZones.clear()
    await world.clock.advance(15_000)
    expect(lookAt(lost)).toEqual({ is: 'missing' })
  })

  it('is no complete list for those who need one', async () => {
    const alive = fleet.aliveOf('o', world.ctx).catch((thrown: unknown) => thrown)
    await world.clock.advance(0)
    expect(await alive).toMatchObject({ code: 'PartialList' })
  })

  it('keeps an answer of our own from there until the zone speaks again', async () => {
    const young = await world.make('default/young')
    fleet.note(young, world.ctx)
    await world.clock.advance(10 * visibilityGraceMs)
    expect(lookAt(young)).toEqual({ is: 'seen', instance: young })
    world.cloud.silentZones.clear()
    world.cloud.set(young.id, 'stopped')
    await world.clock.advance(15_000)
    expect(lookAt(young)).toMatchObject({ is: 'seen', instance: { state: 'stopped' } })
  })

  it('is no first list, though what it shows is seen', async () => {
    await world.restart()
    fleet = world.use('AWSMachine default/m1')
    await world.clock.advance(0)
    expect(fleet.hasSynced).toBe(false)
    expect(lookAt(near)).toMatchObject({ is: 'seen' })
    expect(lookAt(quiet)).toEqual({ is: 'awaited' })
    world.cloud.silentZones.clear()
    await world.clock.advance(15_000)
    expect(fleet.hasSynced).toBe(true)
  })
})
