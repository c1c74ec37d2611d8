import { beforeEach, describe, expect, it } from 'vitest'
import { readInterruption } from '../../../api/interruption.ts'
import { annotations, core } from '../../../api/labels.ts'
import type { Machine } from '../../../api/machine.ts'
import { ApiError } from '../../runtime/client/api-error.ts'
import { InterruptionWorld } from '../../../test/support/worlds/interruption-world.ts'

let world: InterruptionWorld
beforeEach(() => {
  world = new InterruptionWorld()
  world.putSet({ replicas: 2 })
  world.putPolicy({ onRebalance: 'Replace' })
  world.putMachine('m1')
  world.putMachine('m2')
})

const machineOf = (name: string) => world.apiserver.get('Machine', `default/${name}`) as unknown as Machine
const decided = (name = 'm1') => {
  const reading = readInterruption(machineOf(name))
  return reading.is === 'ours' ? reading.interruption : undefined
}
const isDeleting = (name: string) => machineOf(name).metadata.deletionTimestamp !== undefined
const minuteMs = 60_000

async function passes(count = 4): Promise<void> {
  for (let n = 0; n < count; n++) for (const name of ['m1', 'm2']) await world.pass(name)
}

describe('a recommendation with onRebalance: Replace', () => {
  it('replaces one at a time: the first serves at our hook until another is available', async () => {
    world.recommend('m1')
    world.recommend('m2')
    await passes()
    expect(decided('m1')).toMatchObject({ act: 'Delete', isAhead: true, drain: 'WhenReplaced', heldPods: 'Keep' })
    expect([world.isHooked, isDeleting('m1'), world.controller]).toEqual([true, true, 'Cluster'])
    expect(decided('m2')).toMatchObject({ act: 'Tell', isWaiting: true })
    expect(isDeleting('m2')).toBe(false)
    world.putMachine('m3')
    await passes()
    expect(world.isHooked).toBe(false)
    expect(decided('m2')).toMatchObject({ isWaiting: true })
    world.apiserver.remove('Machine', 'default/m1')
    await world.pass('m2')
    expect(decided('m2')).toMatchObject({ act: 'Delete' })
    expect(decided('m2')?.isWaiting).toBeUndefined()
  })

  it('of two at the same moment begins with one', async () => {
    world.recommend('m1')
    world.recommend('m2')
    await Promise.all([world.pass('m1'), world.pass('m2')])
    expect(new Set([decided('m1')?.act, decided('m2')?.act])).toEqual(new Set(['Delete', 'Tell']))
  })

  it('is decided once, and is no work while it waits', async () => {
    world.recommend('m1')
    world.recommend('m2')
    await passes()
    const { length } = world.apiserver.writes
    await passes()
    expect(world.apiserver.writes).toHaveLength(length)
    expect(await world.pass('m2')).toMatchObject({ requeueAfterMs: minuteMs / 2 })
  })

  it('of a young instance waits until that has run for minHealthySeconds: no loop', async () => {
    world.putInfra('m1', { ranForMs: minuteMs })
    world.recommend('m1')
    expect(await world.settle()).toMatchObject({ requeueAfterMs: 9 * minuteMs })
    expect(decided()).toMatchObject({ act: 'Tell', isWaiting: true })
    await world.clock.advance(9 * minuteMs - 1)
    await world.settle()
    expect(world.isDeleting).toBe(false)
    await world.clock.advance(1)
    await world.settle()
    expect(world.isDeleting).toBe(true)
  })

  it('waits while its offering is in a pause', async () => {
    world.shutUntil = world.clock.now() + 30_000
    world.recommend('m1')
    expect(await world.settle()).toMatchObject({ requeueAfterMs: 30_000 })
    await world.clock.advance(30_000)
    await world.settle()
    expect(world.isDeleting).toBe(true)
  })

  it('has the pauses of all that a launch like it may be refused for', async () => {
    world.recommend('m1')
    await world.settle()
    expect(world.askedAbout.map((group) => group.split(' ')[0])).toEqual(['pool', 'price', 'quota', 'launch', 'node'])
  })

  it('serves on while no replacement comes, however long that takes', async () => {
    world.recommend('m1')
    await world.settle()
    world.putMachine('m3', { creationTimestamp: '2026-01-01T00:00:00Z' }, 'False')
    await world.clock.advance(24 * 60 * minuteMs)
    await world.settle()
    expect(world.isHooked).toBe(true)
  })

  it('that is taken back while it waits begins nothing', async () => {
    world.recommend('m1')
    world.recommend('m2')
    await passes()
    world.notices.withdraw('default/m2')
    world.apiserver.remove('Machine', 'default/m1')
    await world.pass('m2')
    await world.clock.advance(minuteMs)
    await world.pass('m2')
    expect(decided('m2')).toBeUndefined()
    expect(isDeleting('m2')).toBe(false)
  })

  it('that waits goes on in another process, and after a move', async () => {
    world.recommend('m1')
    world.recommend('m2')
    await passes()
    world.restart()
    await passes()
    expect(isDeleting('m2')).toBe(false)
    world.apiserver.remove('Machine', 'default/m1')
    await world.pass('m2')
    expect(decided('m2')).toMatchObject({ act: 'Delete' })
  })

  it('that waits does not begin while the Machine is paused', async () => {
    world.putInfra('m1', { ranForMs: 9 * minuteMs })
    world.recommend('m1')
    await world.settle()
    world.annotate({ [core.paused]: '' })
    await world.clock.advance(10 * minuteMs)
    await world.settle()
    expect(world.isDeleting).toBe(false)
    world.annotate({ [core.paused]: null })
    await world.settle()
    expect(world.isDeleting).toBe(true)
  })

  it('that waits ends with a policy that says otherwise', async () => {
    world.putInfra('m1', { ranForMs: minuteMs })
    world.recommend('m1')
    await world.settle()
    world.putPolicy({ onRebalance: 'ConditionOnly' })
    await world.clock.advance(10 * minuteMs)
    await world.settle()
    expect(decided()).toMatchObject({ act: 'Tell' })
    expect(decided()?.isWaiting).toBeUndefined()
    expect(world.isDeleting).toBe(false)
  })

  it('that waits is forgotten with a policy that ignores it', async () => {
    world.putInfra('m1', { ranForMs: minuteMs })
    world.recommend('m1')
    await world.settle()
    world.putPolicy({ onRebalance: 'Ignore' })
    await world.clock.advance(10 * minuteMs)
    await world.settle()
    expect(decided()).toBeUndefined()
    expect(world.isDeleting).toBe(false)
  })

  it('whose record a user removes while it waits is none, and nothing is stuck', async () => {
    world.putInfra('m1', { ranForMs: minuteMs })
    world.recommend('m1')
    await world.settle()
    world.annotate({ [annotations.interruption]: null })
    await world.clock.advance(10 * minuteMs)
    await world.settle()
    expect(world.isDeleting).toBe(false)
  })

  it('of a Machine that was paused a moment ago, before any cache shows it, does not begin', async () => {
    world.recommend('m1')
    world.apiserver.beforeWrite = () => {
      world.apiserver.beforeWrite = () => {}
      world.annotate({ [core.paused]: '' })
    }
    expect(await world.pass()).toBe('done')
    await world.settle()
    expect(decided()).toBeUndefined()
    expect(world.isDeleting).toBe(false)
  })

  it('whose write is refused gives its turn to the next', async () => {
    world.recommend('m1')
    world.recommend('m2')
    world.apiserver.beforeWrite = () => {
      world.apiserver.beforeWrite = () => {}
      throw new ApiError({ status: 403, reason: 'Forbidden', message: 'A webhook refuses it.' })
    }
    await expect(world.pass('m1')).rejects.toThrow('refuses')
    await world.pass('m2')
    expect(decided('m2')).toMatchObject({ act: 'Delete' })
  })

  it('whose write fails without an answer keeps its turn, and finishes', async () => {
    world.recommend('m1')
    world.recommend('m2')
    world.apiserver.beforeWrite = () => {
      world.apiserver.beforeWrite = () => {}
      throw new Error('no answer')
    }
    await expect(world.pass('m1')).rejects.toThrow('no answer')
    await world.pass('m2')
    expect(decided('m2')).toMatchObject({ isWaiting: true })
    await passes()
    expect([isDeleting('m1'), isDeleting('m2')]).toEqual([true, false])
  })
})

describe('maxAhead', () => {
  it('in a storm: the others are replaced when they are gone', async () => {
    world.putPolicy({ maxAhead: 1 })
    void world.notice()
    const at = world.clock.now()
    const spot = { instance: 'i-m2', kind: 'Spot', source: 'SpotRequests', at, deadline: at + 120_000 } as const
    void world.notices.give('default/m2', spot)
    await Promise.all([world.pass('m1'), world.pass('m2')])
    await passes()
    expect(new Set([decided('m1')?.isAhead, decided('m2')?.isAhead])).toEqual(new Set([false, true]))
    expect([isDeleting('m1'), isDeleting('m2')]).toEqual([true, true])
  })
})

describe('maxLifetimeSeconds', () => {
  const dayMs = 24 * 60 * minuteMs
  beforeEach(() => world.putPolicy({ maxLifetimeSeconds: dayMs / 1000 }))

  it('replaces one at a time what has run for so long, and looks again in time', async () => {
    expect(await world.settle()).toMatchObject({ requeueAfterMs: 60 * minuteMs })
    expect(world.apiserver.writes).toEqual([])
    await world.clock.advance(dayMs)
    await passes()
    expect(decided('m1')).toMatchObject({ kind: 'Lifetime', source: 'Clock', act: 'Delete', drain: 'WhenReplaced' })
    expect(decided('m1')?.deadline).toBeUndefined()
    expect(decided('m2')).toMatchObject({ kind: 'Lifetime', isWaiting: true })
  })

  it('that is raised while a Machine waits lets it stay', async () => {
    world.shutUntil = Infinity
    await world.clock.advance(dayMs)
    await world.settle()
    expect(decided()).toMatchObject({ isWaiting: true })
    world.putPolicy({ maxLifetimeSeconds: (10 * dayMs) / 1000 })
    world.shutUntil = undefined
    await world.clock.advance(minuteMs)
    await world.settle()
    expect(decided()).toBeUndefined()
    expect(world.isDeleting).toBe(false)
  })

  it('raises what a policy only told of', async () => {
    world.recommend('m1')
    await world.settle()
    expect(decided()).toMatchObject({ act: 'Tell', kind: 'Rebalance' })
    await world.clock.advance(dayMs)
    await world.settle()
    expect(decided()).toMatchObject({ act: 'Delete', kind: 'Lifetime' })
  })

  it('writes nothing more about a Machine that nobody would replace', async () => {
    world.putMachine('m1', { ownerReferences: [] })
    await world.clock.advance(dayMs)
    await world.settle()
    expect(decided()).toMatchObject({ act: 'Tell' })
    expect(decided()?.isWaiting).toBeUndefined()
    const { length } = world.apiserver.writes
    await world.clock.advance(dayMs)
    await world.settle()
    expect(world.apiserver.writes).toHaveLength(length)
  })
})
