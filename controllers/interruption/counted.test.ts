import { beforeEach, describe, expect, it } from 'vitest'
import { rfc3339 } from '../../api/conditions.ts'
import { InterruptionWorld } from '../../test/support/worlds/interruption-world.ts'

let world: InterruptionWorld
beforeEach(() => {
  world = new InterruptionWorld()
  world.putMachine('m1')
})

describe('an interruption is counted', () => {
  it('once: a risk before it and a nearer deadline after it are no further ones', async () => {
    world.putPolicy({ onNotice: 'ConditionOnly' })
    const at = world.clock.now()
    void world.notice({ kind: 'Rebalance', deadline: at + 600_000 })
    await world.settle()
    expect(world.announced).toEqual([])
    for (const seconds of [120, 120, 60]) {
      void world.notice({ source: 'Queue', deadline: at + seconds * 1_000 })
      await world.settle()
    }
    expect(world.decided?.deadline).toBe(rfc3339(at + 60_000))
    expect(world.announced).toEqual(['m1'])
  })

  it('of no fire drill, and of no other instance', async () => {
    void world.notice({ kind: 'Rehearsal', source: 'Annotation' })
    void world.notice({ instance: 'i-other' })
    await world.settle()
    expect(world.isDeleting).toBe(true)
    expect(world.announced).toEqual([])
  })
})
