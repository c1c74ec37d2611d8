import { beforeEach, describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import { listedFleet, nobodys, refOf, type FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import type { InstancePage } from '../instances.ts'
import { machineDigest } from '../shared/ownership.ts'
import { staleReadMs, visibilityGraceMs } from '../wire/limits.ts'
import type { Fleet } from './fleet.ts'

let world: FleetWorld
let fleet: Fleet
beforeEach(async () => {
  ;({ world, fleet } = await listedFleet())
})

it('what was proven gone is there when a later list shows it, and its machine is woken', async () => {
  const made = await world.make('default/a')
  await world.clock.advance(15_000)
  world.cloud.invisible.add(made.id)
  const verdict = fleet.confirmGone(refOf(made), world.ctx)
  await world.clock.advance(0)
  expect(await verdict).toMatchObject({ is: 'gone' })
  world.changed.length = 0
  world.cloud.invisible.clear()
  await world.clock.advance(15_000)
  expect(fleet.look(refOf(made), true, world.ctx)).toMatchObject({ is: 'seen', instance: { id: made.id } })
  expect(world.changed).toContain(machineDigest('default/a'))
})

describe('looking', () => {
  it('before the first list nothing means anything', async () => {
    await world.restart()
    const young = world.use('AWSMachine default/m1')
    expect(young.look({ id: 'i-1', tag: nobodys }, true, world.ctx)).toEqual({ is: 'awaited' })
  })

  it('an instance that no list has shown yet is awaited, for as long as lists may lag', async () => {
    const look = () => fleet.look({ id: 'i-1', tag: nobodys }, false, world.ctx).is
    expect(look()).toBe('awaited')
    await world.clock.advance(visibilityGraceMs - 1)
    expect(look()).toBe('awaited')
    await world.clock.advance(1)
    expect(look()).toBe('missing')
  })

  it('one that has served is missing at once', () => {
    expect(fleet.look({ id: 'i-1', tag: nobodys }, true, world.ctx).is).toBe('missing')
  })

  it('an answer of our own counts until a list that began after it shows the instance', async () => {
    const made = await world.make('default/a')
    world.cloud.invisible.add(made.id)
    fleet.note(made, world.ctx)
    await world.clock.advance(60_000)
    expect(fleet.look(refOf(made), false, world.ctx)).toEqual({ is: 'seen', instance: made })
    world.cloud.invisible.delete(made.id)
    world.cloud.set(made.id, 'stopped')
    await world.clock.advance(3_000)
    expect(fleet.look(refOf(made), false, world.ctx)).toMatchObject({ is: 'seen', instance: { state: 'stopped' } })
  })

  it('finds by token where no id is known', async () => {
    const made = await world.make('default/a')
    await world.clock.advance(15_000)
    expect(fleet.look({ tag: { ...nobodys, token: 'token-default/a' } }, false, world.ctx)).toMatchObject({
      is: 'seen',
      instance: { id: made.id },
    })
  })
})

describe('gone', () => {
  it('needs a direct look and a second list, and is remembered', async () => {
    const made = await world.make('default/a')
    await world.clock.advance(15_000)
    world.cloud.instances.delete(made.id)
    await world.clock.advance(15_000)
    const lists = world.cloud.count('list')
    const verdict = fleet.confirmGone(refOf(made), world.ctx)
    await world.clock.advance(0)
    expect(await verdict).toMatchObject({ is: 'gone' })
    expect(world.cloud.count('list')).toBe(lists + 1)
    expect(fleet.look(refOf(made), true, world.ctx)).toMatchObject({ is: 'gone' })
  })

  it('is what it was when the reads began, however late their answers are looked at', async () => {
    const made = await world.make('default/a')
    await world.clock.advance(15_000)
    world.cloud.instances.delete(made.id)
    await world.clock.advance(15_000)
    const asOf = world.clock.monotonic()
    const find = world.cloud.find.bind(world.cloud)
    world.cloud.find = async (which, own) => {
      await world.clock.sleep(40_000, own.signal)
      return find(which, own)
    }
    const verdict = fleet.confirmGone(refOf(made), world.ctx)
    await world.clock.advance(40_000)
    expect(await verdict).toEqual({ is: 'gone', asOf })
    await world.clock.advance(60_000)
    expect(fleet.look(refOf(made), true, world.ctx)).toEqual({ is: 'gone', asOf })
  })

  it('while reads are late, nothing is gone that is young enough to be hidden by them all', async () => {
    const late = await world.make('default/late')
    world.cloud.invisible.add(late.id)
    fleet.note(late, world.ctx)
    await world.clock.advance(3_000)
    world.cloud.invisible.clear()
    const made = await world.make('default/a')
    await world.clock.advance(15_000)
    world.cloud.instances.delete(made.id)
    await world.clock.advance(15_000)
    const finds = world.cloud.count('find')
    expect(await fleet.confirmGone(refOf(made), world.ctx)).toEqual({ is: 'missing' })
    expect(world.cloud.count('find'), 'nobody asks in vain').toBe(finds)
    await world.clock.advance(staleReadMs)
    const verdict = fleet.confirmGone(refOf(made), world.ctx)
    await world.clock.advance(0)
    expect(await verdict).toMatchObject({ is: 'gone' })
  })

  it('what was said to be gone and is there shows that reads are late', async () => {
    const made = await world.make('default/a')
    await world.clock.advance(15_000)
    world.cloud.invisible.add(made.id)
    const verdict = fleet.confirmGone(refOf(made), world.ctx)
    await world.clock.advance(0)
    expect(await verdict).toMatchObject({ is: 'gone' })
    world.cloud.invisible.clear()
    const other = await world.make('default/b')
    await world.clock.advance(15_000)
    world.cloud.instances.delete(other.id)
    await world.clock.advance(15_000)
    expect(await fleet.confirmGone(refOf(other), world.ctx)).toEqual({ is: 'missing' })
  })

  it('two hundred that ask at once share one list', async () => {
    const many = await Promise.all(Array.from({ length: 200 }, (_, i) => world.make(`default/${i}`)))
    await world.clock.advance(15_000)
    world.cloud.instances.clear()
    await world.clock.advance(15_000)
    const lists = world.cloud.count('list')
    const verdicts = Promise.all(many.map((made) => fleet.confirmGone(refOf(made), world.ctx)))
    await world.clock.advance(0)
    expect((await verdicts).every(({ is }) => is === 'gone')).toBe(true)
    expect(world.cloud.count('list')).toBe(lists + 1)
  })

  it('a caller who gives up does not wait for the list; the others do', async () => {
    const made = await world.make('default/a')
    await world.clock.advance(15_000)
    world.cloud.listFault = new CloudError('throttled', { code: 'X', message: 'x', retryAfterMs: 60_000 })
    await world.clock.advance(15_000)
    const [caller, reason] = [new AbortController(), new Error('the pass is over')]
    const asked = fleet.confirmGone({ ...refOf(made), id: 'i-none' }, { ...world.ctx, signal: caller.signal })
    const others = fleet.aliveOf('o', world.ctx)
    await world.clock.advance(0)
    caller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    world.cloud.listFault = undefined
    await world.clock.advance(60_000)
    expect(await others).toHaveLength(1)
  })

  it('a partial list is no list: nothing is gone by it, nobody is woken', async () => {
    const made = await world.make('default/a')
    await world.clock.advance(15_000)
    world.changed.length = 0
    world.cloud.list = async function* (): AsyncIterable<InstancePage> {
      yield { items: [], complete: false }
    }
    await world.clock.advance(60_000)
    expect(world.changed).toEqual([])
    expect(fleet.look(refOf(made), true, world.ctx).is).toBe('seen')
    expect(fleet.trouble?.code).toBe('PartialList')
  })
})
