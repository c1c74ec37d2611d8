import { beforeEach, describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import type { FakeNotices } from '../../test/support/fakes/fake-notices.ts'
import type { FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import { failure, interval, noticeWorld, polling, user } from '../../test/support/worlds/notice-world.ts'

let world: FleetWorld
let notices: FakeNotices
beforeEach(() => {
  ;({ world, notices } = noticeWorld())
})

const { withInstance, asksIn, noticed } = polling(() => world)

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
