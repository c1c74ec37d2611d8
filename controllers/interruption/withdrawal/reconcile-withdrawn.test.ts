import { beforeEach, describe, expect, it } from 'vitest'
import { core } from '../../../api/labels.ts'
import type { NoticeKind } from '../../../api/notice.ts'
import { InterruptionWorld } from '../../../test/support/worlds/interruption-world.ts'

let world: InterruptionWorld
beforeEach(() => {
  world = new InterruptionWorld()
  world.putMachine('m1')
})

describe('a Node that takes its notice back', () => {
  it('while the Machine is paused deletes nothing afterwards', async () => {
    world.annotate({ [core.paused]: '' })
    void world.notice({ source: 'Node' })
    await world.settle()
    world.notices.withdraw('default/m1')
    world.annotate({ [core.paused]: null })
    await world.settle()
    expect(world.isDeleting).toBe(false)
    expect(world.decided).toBeUndefined()
  })

  it('has the decision removed, where it only told of it', async () => {
    world.putPolicy({ onRebalance: 'Cordon' })
    void world.notice({ kind: 'Rebalance', source: 'Node', deadline: undefined as never })
    await world.settle()
    expect(world.decided).toMatchObject({ act: 'Cordon' })
    world.notices.withdraw('default/m1')
    expect(await world.settle()).toMatchObject({ requeueAfterMs: 60_000 })
    expect(world.decided).toBeDefined()
    await world.clock.advance(60_000)
    await world.settle()
    expect(world.decided).toBeUndefined()
    expect(world.isDeleting).toBe(false)
  })

  it('and gives it again, and so on, has the decision written once and removed once in a minute', async () => {
    world.putPolicy({ onRebalance: 'Cordon' })
    const rebalance = { kind: 'Rebalance', source: 'Node', deadline: undefined as never } as const
    const minutes = 10
    for (let second = 0; second < minutes * 60; second++) {
      void world.notice(rebalance)
      await world.settle()
      world.notices.withdraw('default/m1')
      await world.settle()
      await world.clock.advance(1_000)
    }
    expect(world.apiserver.writes.length).toBeLessThanOrEqual(2 * minutes)
    expect(world.apiserver.writes.length).toBeGreaterThan(minutes)
  })
})

describe('a cloud that takes its notice back', () => {
  const lists = async (count: number, over: Parameters<InterruptionWorld['showsNotices']>[0] = {}) => {
    for (let nth = 0; nth < count; nth++) {
      await world.clock.advance(15_000)
      world.showsNotices(over)
    }
    return world.settle()
  }

  it.each<[string, object, NoticeKind]>([
    ['told', { onNotice: 'ConditionOnly' }, 'Spot'],
    ['told of maintenance', {}, 'Maintenance'],
    ['cordoned', { onRebalance: 'Cordon' }, 'Maintenance'],
  ])('has the decision removed, where it was only %s', async (_, policy, kind) => {
    world.putPolicy(policy)
    void world.notice({ kind, deadline: world.clock.now() + 86_400_000 })
    await world.settle()
    expect(world.decided).toBeDefined()
    await lists(5, { noticed: new Set(['i-m1']) })
    await lists(1)
    expect(world.decided, 'a list may be late').toBeDefined()
    await lists(1)
    expect([world.decided, world.isDeleting]).toEqual([undefined, false])
    expect(world.results).toEqual(['recorded', 'withdrawn'])
  })

  it('within a minute of the decision has it removed when the minute is over: flapping is no hot loop', async () => {
    world.putPolicy({ onNotice: 'ConditionOnly' })
    void world.notice()
    await world.settle()
    expect(await lists(2)).toMatchObject({ requeueAfterMs: 30_000 })
    expect(world.decided).toBeDefined()
    await world.clock.advance(30_000)
    await world.settle()
    expect(world.decided).toBeUndefined()
  })

  it('has nothing removed by a process that has just begun, or whose lists fail', async () => {
    world.putPolicy({ onNotice: 'ConditionOnly' })
    void world.notice()
    await world.settle()
    await lists(1, { noticed: new Set(['i-m1']) })
    world.restart()
    await world.clock.advance(120_000)
    await world.settle()
    expect(world.decided).toBeDefined()
    await lists(1)
    expect(world.decided, 'its first list').toBeDefined()
  })

  it('has a Machine that is being deleted go on', async () => {
    void world.notice()
    await world.settle()
    expect(world.isDeleting).toBe(true)
    await lists(8)
    expect(world.decided).toMatchObject({ act: 'Delete', isAhead: true })
  })

  it('is no source of what a queue has said: that counts, if both have said it', async () => {
    world.putPolicy({ onNotice: 'ConditionOnly' })
    void world.notice()
    await world.settle()
    void world.notice({ source: 'Queue' })
    await world.settle()
    await lists(8)
    expect(world.decided).toMatchObject({ source: 'Queue', act: 'Tell' })
  })
})
