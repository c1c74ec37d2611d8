import { beforeEach, describe, expect, it } from 'vitest'
import type { FakeNotices } from '../../test/support/fakes/fake-notices.ts'
import type { FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import { failure, noticeWorld, polling, rareMs, user } from '../../test/support/worlds/notice-world.ts'

let world: FleetWorld
let rare: FakeNotices
beforeEach(() => {
  ;({ world, rare } = noticeWorld())
})

const { withInstance } = polling(() => world)

describe('a check of the cloud', () => {
  const checkOf = (id: string) => world.use(user).store.checkOf(id)

  it('is unknown until a list of checks comes through, and wakes its machine when it changes', async () => {
    rare.fault = failure
    rare.impaired = []
    const { id, tag } = await withInstance()
    expect(checkOf(id)).toBeUndefined()
    rare.fault = undefined
    await world.clock.advance(rareMs)
    expect(checkOf(id)).toBe('passes')
    const woken = () => world.changed.filter((machine) => machine === tag?.machine).length
    const before = woken()
    await world.clock.advance(rareMs)
    expect(woken()).toBe(before)
    rare.impaired = [{ instance: id, since: 7 }]
    await world.clock.advance(rareMs)
    expect([checkOf(id), woken()]).toEqual([7, before + 1])
    rare.fault = failure
    rare.impaired = []
    await world.clock.advance(rareMs)
    expect(checkOf(id), 'a failed list repairs nothing').toBe(7)
    rare.fault = undefined
    await world.clock.advance(2 * rareMs)
    expect([checkOf(id), woken()]).toEqual(['passes', before + 2])
  })

  it('wakes every machine after a start: another process may have said that one fails', async () => {
    rare.fault = failure
    rare.impaired = []
    const { tag } = await withInstance()
    const before = world.changed.length
    rare.fault = undefined
    await world.clock.advance(rareMs)
    expect(world.changed.slice(before)).toEqual([tag?.machine])
  })

  it('of a source without checks is none', async () => {
    const { id } = await withInstance()
    await world.clock.advance(rareMs)
    expect(checkOf(id)).toBeUndefined()
  })
})
