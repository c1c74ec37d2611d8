import { beforeEach, describe, expect, it } from 'vitest'
import type { Instance } from '../../api/instance.ts'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import type { FakeNotices } from '../../test/support/fakes/fake-notices.ts'
import type { FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import { failure, interval, noticeWorld, polling, rareMs } from '../../test/support/worlds/notice-world.ts'

let world: FleetWorld
let notices: FakeNotices
let rare: FakeNotices
beforeEach(() => {
  ;({ world, notices, rare } = noticeWorld())
})

const { withInstance, asksIn } = polling(() => world)

describe('a second source', () => {
  it('is asked at its own pace, with the first list that shows an instance of ours', async () => {
    await withInstance({ capacityType: 'OnDemand' })
    expect(rare.asked).toEqual([fakeScope])
    expect(await asksIn(rareMs - 1, rare)).toBe(0)
    expect(await asksIn(1, rare)).toBe(1)
    expect(await asksIn(3 * rareMs, rare)).toBe(3)
    expect(notices.asked, 'no spot instance is up').toEqual([])
  })

  it.each<[string, Partial<Instance>]>([
    ['has ended', { state: 'terminated' }],
    ['is not ours', { tag: undefined }],
  ])('is not asked while the only instance %s', async (_, over) => {
    await withInstance(over)
    expect(await asksIn(3 * rareMs, rare)).toBe(0)
  })

  it('hands over its notices beside those of the first', async () => {
    const { id } = await withInstance()
    notices.announce(id)
    rare.announce(id)
    await world.clock.advance(rareMs)
    expect(new Set(world.noticed.map(({ notice }) => notice.source))).toEqual(new Set(['SpotRequests', 'Status']))
  })

  it('fails alone, and in the end is asked no more often than when it works', async () => {
    rare.fault = failure
    await withInstance()
    expect(await asksIn(4 * interval)).toBe(4)
    expect(await asksIn(rareMs, rare)).toBeLessThanOrEqual(4)
    await world.clock.advance(2 * rareMs)
    expect(await asksIn(4 * rareMs, rare)).toBe(4)
    const [warning, ...others] = world.log.lines.filter((line) => line.includes('does not tell its notices'))
    expect(others).toEqual([])
    expect(warning).toContain('Status')
  })

  it('does not stop while the first fails', async () => {
    notices.fault = failure
    await withInstance()
    expect(await asksIn(3 * rareMs, rare)).toBe(3)
  })
})

describe('its state', () => {
  const spotRequests = () => world.noticeStates().find(({ source }) => source === 'Status of spot requests')

  it('is none while nothing is asked', async () => {
    await withInstance({ state: 'terminated' })
    await world.clock.advance(interval)
    expect(world.noticeStates()).toEqual([])
  })

  it('works, fails with the reason, and works again', async () => {
    await withInstance()
    expect(spotRequests()?.works).toBe(true)
    notices.fault = failure
    await world.clock.advance(interval)
    expect(spotRequests()).toMatchObject({ works: false, message: expect.stringContaining('Slower.') as string })
    notices.fault = undefined
    await world.clock.advance(interval)
    expect(spotRequests()?.works).toBe(true)
  })

  it('ends with the last spot instance', async () => {
    const { id } = await withInstance()
    world.cloud.set(id, 'terminated')
    await world.clock.advance(2 * interval)
    expect(spotRequests()).toBeUndefined()
  })

  it('is of each source that is asked', async () => {
    rare.fault = failure
    await withInstance()
    expect(world.noticeStates()).toMatchObject([
      { source: 'Status of spot requests', works: true },
      { source: 'Scheduled events', works: false },
    ])
  })

  it('is of the other alone while no spot instance is up', async () => {
    await withInstance({ capacityType: 'OnDemand' })
    expect(world.noticeStates()).toMatchObject([{ source: 'Scheduled events', works: true }])
  })
})
