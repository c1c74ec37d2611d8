import { beforeEach, describe, expect, it } from 'vitest'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import type { FakeNotices } from '../../test/support/fakes/fake-notices.ts'
import type { FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import { failure, interval, noticeWorld, polling } from '../../test/support/worlds/notice-world.ts'

let world: FleetWorld
let notices: FakeNotices
beforeEach(() => {
  ;({ world, notices } = noticeWorld())
})

const { withInstance } = polling(() => world)

describe('a list', () => {
  const lists = (source: string) => world.noticeLists.filter((list) => list.source === source)

  it('that came through tells what is up, what has a notice, and what is over, of our instances alone', async () => {
    const { id } = await withInstance()
    const other = await world.make('default/m2')
    const ended = await world.make('default/m3')
    world.cloud.set(ended.id, 'terminated')
    const foreign = await world.make('default/m4')
    world.cloud.set(foreign.id, 'running', { tag: undefined })
    const over = (instance: string) =>
      ({ instance, kind: 'Maintenance', at: 0, deadline: 1, source: 'Status' }) as const
    for (const one of [id, ended.id, foreign.id]) notices.announce(one)
    for (const one of [other.id, ended.id, foreign.id, 'i-unknown']) notices.over.push(over(one))
    await world.clock.advance(2 * interval)
    const last = lists('SpotRequests').at(-1)
    expect(last).toMatchObject({ scope: fakeScope, over: [over(other.id)] })
    expect(last?.up).toEqual(new Set([id, other.id]))
    expect(last?.noticed).toEqual(new Set([id]))
    expect(last?.begunAt).toBe(world.clock.now())
  })

  it('that fails, before or after its pages, tells nothing', async () => {
    const { id } = await withInstance()
    notices.announce(id)
    await world.clock.advance(interval)
    const before = lists('SpotRequests').length
    notices.shown.length = 0
    notices.fault = failure
    await world.clock.advance(10 * interval)
    expect(lists('SpotRequests')).toHaveLength(before)
    notices.fault = undefined
    await world.clock.advance(interval * 10)
    expect(lists('SpotRequests').at(-1)?.noticed).toEqual(new Set())
  })
})
