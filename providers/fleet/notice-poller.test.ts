import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import { FakeNotices } from '../../test/support/fakes/fake-notices.ts'
import { FleetWorld } from '../../test/support/worlds/fleet-world.ts'

const interval = 15_000
const failure = new CloudError('throttled', { code: 'RequestLimitExceeded', message: 'Slower.' })

const rareMs = 5 * 60_000

let world: FleetWorld
let notices: FakeNotices
/** A second source of the same cloud, asked less often and for every instance. */
let rare: FakeNotices
beforeEach(() => {
  notices = new FakeNotices()
  rare = new FakeNotices({ source: 'Status', everyMs: rareMs, concerns: () => true })
  world = new FleetWorld({ notices: [notices, rare] })
  notices.account = world.cloud.account
  rare.account = world.cloud.account
})
afterEach(() => world[Symbol.asyncDispose]())

const user = 'AWSMachine default/m1'

/** A fleet whose list has shown a running spot instance of ours. */
async function withInstance(over: Partial<Instance> = {}): Promise<Instance> {
  const made = await world.make('default/m1')
  world.cloud.set(made.id, 'running', over)
  world.use(user)
  await world.clock.advance(0)
  return made
}

/** How often notices are asked for meanwhile. */
async function asksIn(ms: number, { asked } = notices): Promise<number> {
  const before = asked.length
  await world.clock.advance(ms)
  return asked.length - before
}

const noticed = () => world.noticed.map(({ notice }) => notice.instance)

describe('it asks', () => {
  it('with the first list that shows a spot instance of ours, and then once each interval', async () => {
    await withInstance()
    expect(notices.asked).toEqual([fakeScope])
    expect(await asksIn(interval - 1)).toBe(0)
    expect(await asksIn(1)).toBe(1)
    expect(await asksIn(10 * interval)).toBe(10)
  })

  it('once each interval too while instances change and lists come more often', async () => {
    const { id } = await withInstance()
    const other = await world.make('default/m2')
    world.cloud.set(other.id, 'terminating')
    await world.clock.advance(interval)
    const lists = world.cloud.count('list')
    expect(await asksIn(4 * interval)).toBe(4)
    expect(world.cloud.count('list') - lists).toBe(20)
    expect(world.find('aws', id)?.state).toBe('running')
  })

  it.each<[string, Partial<Instance>]>([
    ['is on demand', { capacityType: 'OnDemand' }],
    ['has ended', { state: 'terminated' }],
    ['is ending', { state: 'terminating' }],
    ['is stopped', { state: 'stopped' }],
    ['is not ours', { tag: undefined }],
  ])('nothing while the only instance %s; with the list that shows another, it does', async (_, over) => {
    await withInstance(over)
    expect(await asksIn(10 * interval)).toBe(0)
    await world.make('default/m2')
    expect(await asksIn(interval)).toBe(1)
  })

  it('nothing any more when the last spot instance has ended', async () => {
    const { id } = await withInstance()
    world.cloud.set(id, 'terminated')
    await world.clock.advance(interval)
    expect(await asksIn(10 * interval)).toBe(0)
  })

  it('while no list comes through: what lived then may live still', async () => {
    await withInstance()
    world.cloud.listFault = failure
    await world.clock.advance(interval)
    expect(await asksIn(4 * interval)).toBe(4)
  })

  it('no longer than its fleet', async () => {
    await withInstance()
    world.leave(user)
    await world.clock.advance(10 * 60_000)
    expect(await asksIn(10 * interval)).toBe(0)
    expect(world.clock.pending).toBe(0)
  })
})

describe('a notice', () => {
  it('is handed over with its cloud and scope, by each poll again', async () => {
    const { id } = await withInstance()
    notices.announce(id, 7)
    await world.clock.advance(interval)
    const notice = { instance: id, kind: 'Spot', at: 7, deadline: 120_007, source: 'SpotRequests' }
    const told = { cloud: 'aws', scope: fakeScope, notice }
    expect(world.noticed).toEqual([told])
    await world.clock.advance(interval)
    expect(world.noticed).toEqual([told, told])
  })

  it.each<[string, Partial<Instance>]>([
    ['that has ended', { state: 'terminated' }],
    ['that is ending', { state: 'terminating' }],
    ['that is stopped', { state: 'stopped' }],
    ['to which our mark was copied', { tag: undefined }],
  ])('of an instance %s is nothing', async (_, over) => {
    await withInstance()
    const other = await world.make('default/m2')
    world.cloud.set(other.id, 'running', over)
    notices.announce(other.id)
    await world.clock.advance(2 * interval)
    expect(noticed()).toEqual([])
  })

  it('of an instance that no list has shown waits for the list', async () => {
    const { id } = await withInstance()
    notices.announce('i-unknown')
    notices.announce(id)
    await world.clock.advance(interval)
    expect(noticed()).toEqual([id])
  })

  it('of an instance that our own call has just made counts before a list shows it', async () => {
    await withInstance()
    const made = await world.make('default/m2')
    world.cloud.invisible.add(made.id)
    world.use(user).note(made, world.ctx)
    notices.announce(made.id)
    await world.clock.advance(interval)
    expect(noticed()).toEqual([made.id])
  })

  it('makes no list come sooner', async () => {
    const { id } = await withInstance()
    notices.announce(id)
    expect(await world.listsIn(4 * interval)).toBe(4)
    expect(world.noticed.length).toBeGreaterThan(0)
  })
})

describe('a failure', () => {
  const warnings = () => world.log.lines.filter((line) => line.includes('does not tell its notices'))

  it('slows down the notices and no list, and is logged once', async () => {
    await withInstance()
    notices.fault = failure
    await world.clock.advance(interval)
    expect(await asksIn(1_000 + 2_000 + 4_000 + 8_000)).toBe(4)
    expect(await asksIn(5 * 60_000)).toBeLessThanOrEqual(7)
    expect(await world.listsIn(4 * interval)).toBe(4)
    expect(warnings()).toHaveLength(1)
    expect(warnings()[0]).toContain('aws/default/us-east-1')
  })

  it('is logged again when it is another, and after notices were shown', async () => {
    await withInstance()
    notices.fault = failure
    await world.clock.advance(60_000)
    notices.fault = new CloudError('denied', { code: 'UnauthorizedOperation', message: 'No.' })
    await world.clock.advance(5 * 60_000)
    expect(warnings()).toHaveLength(2)
    notices.fault = undefined
    await world.clock.advance(60_000)
    notices.fault = failure
    await world.clock.advance(60_000)
    expect(warnings()).toHaveLength(3)
  })

  it('after a page takes nothing from what the page has shown', async () => {
    const { id } = await withInstance()
    notices.announce(id)
    notices.fault = failure
    await world.clock.advance(interval)
    expect(noticed()).toEqual([id])
  })
})

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

describe('accounts', () => {
  const { account: ours, ...place } = fakeScope
  const theirs: Scope = { ...place, account: '444455556666' }

  it('of one place share the poll, which is made as the account of the credentials', async () => {
    world.use('AWSMachine default/m9', theirs)
    world.use('AWSMachine default/m8', place)
    const { id } = await withInstance()
    notices.announce(id)
    await world.clock.advance(interval)
    expect(new Set(notices.asked.map(({ account }) => account))).toEqual(new Set([ours]))
    expect(await asksIn(4 * interval)).toBe(4)
    expect(noticed()).not.toEqual([])
  })

  it('credentials of another account get no notices, and no pause either: ours may be back soon', async () => {
    const { id } = await withInstance()
    notices.announce(id)
    world.cloud.account = theirs.account
    notices.account = theirs.account
    await world.clock.advance(4 * interval)
    expect(noticed()).toEqual([])
    notices.account = ours
    await world.clock.advance(interval)
    expect(noticed()).toEqual([id])
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
