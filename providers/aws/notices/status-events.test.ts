import type { InstanceStatus, InstanceStatusEvent } from '@aws-sdk/client-ec2'
import { describe, expect, it } from 'vitest'
import type { Notice } from '../../../api/notice.ts'
import { useEc2 } from '../../../test/simulators/aws/use-ec2.ts'
import { FakeClock, hasty } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { ShownPage } from '../../notices.ts'
import { Ec2 } from '../wire/client.ts'
import { statusEvents, statusIn } from './status-events.ts'

const now = Date.UTC(2026, 0, 1)
const then = Date.UTC(2026, 0, 15)

const eventWith = (over: InstanceStatusEvent = {}): InstanceStatusEvent => ({
  Code: 'instance-retirement',
  Description: 'The instance is running on degraded hardware',
  NotBefore: new Date(then),
  NotAfter: new Date(then + 7_200_000),
  NotBeforeDeadline: new Date(then + 86_400_000),
  ...over,
})
const statusWith = (Events: InstanceStatusEvent[], over: InstanceStatus = {}): InstanceStatus => ({
  InstanceId: 'i-1',
  Events,
  ...over,
})
const noticesOf = (...InstanceStatuses: InstanceStatus[]) => statusIn({ InstanceStatuses }, now).notices

describe('a scheduled event', () => {
  it.each(['instance-reboot', 'system-reboot', 'system-maintenance', 'instance-retirement', 'instance-stop'] as const)(
    '%s is maintenance, at the earliest time that EC2 says',
    (Code) => {
      const notice: Notice = { instance: 'i-1', kind: 'Maintenance', at: now, deadline: then, source: 'Status' }
      expect(noticesOf(statusWith([eventWith({ Code })]))).toEqual([notice])
    },
  )

  it.each<[string, InstanceStatusEvent]>([
    ['that is completed', { Description: '[Completed] The instance is running on degraded hardware' }],
    ['that is canceled', { Description: '[Canceled] The instance is running on degraded hardware' }],
    ['of no known code', { Code: 'something-new' as 'instance-stop' }],
    ['of no code', { Code: undefined }],
    ['without a time', { NotBefore: undefined }],
    ['with a time that is none', { NotBefore: new Date(Number.NaN) }],
  ])('%s announces nothing, and hides no other', (_, over) => {
    const next = new Date(then + 1)
    const found = noticesOf(statusWith([eventWith(over), eventWith({ NotBefore: next })]))
    expect(found.map(({ deadline }) => deadline)).toEqual([next.getTime()])
  })

  it('counts without a description, or with such words elsewhere in it', () => {
    const open = [undefined, '', 'Not [Completed]', '[Rescheduled] Reboot'].map((Description) =>
      eventWith({ Description }),
    )
    expect(noticesOf(statusWith(open))).toHaveLength(open.length)
  })

  it.each<[string, InstanceStatus]>([
    ['without an id', { InstanceId: undefined }],
    ['with an empty id', { InstanceId: '' }],
    ['without events', { Events: undefined }],
  ])('of a status %s announces nothing, and hides no other', (_, over) => {
    const found = noticesOf(statusWith([eventWith()], over), statusWith([eventWith()], { InstanceId: 'i-2' }))
    expect(found.map(({ instance }) => instance)).toEqual(['i-2'])
  })

  it('an answer without the element is no empty list', () => {
    expect(noticesOf()).toEqual([])
    expect(() => statusIn({}, now)).toThrow('does not come from EC2')
  })
})

describe('a check of the host', () => {
  const since = new Date(now - 120_000)
  const failed = { Name: 'reachability', Status: 'failed', ImpairedSince: since } as const
  const impairedOf = (over: InstanceStatus) =>
    statusIn({ InstanceStatuses: [{ InstanceId: 'i-1', ...over }] }, now).impaired

  it('that fails for two minutes is told, with the time since when', () => {
    const SystemStatus: InstanceStatus['SystemStatus'] = { Status: 'impaired', Details: [failed] }
    expect(impairedOf({ SystemStatus })).toEqual([{ instance: 'i-1', since: since.getTime() }])
  })

  it.each<[string, InstanceStatus]>([
    ['that passes', { SystemStatus: { Status: 'ok', Details: [{ Name: 'reachability', Status: 'passed' }] } }],
    ['of which EC2 knows too little', { SystemStatus: { Status: 'insufficient-data', Details: [failed] } }],
    ['that fails without a time', { SystemStatus: { Status: 'impaired', Details: [{ Status: 'failed' }] } }],
    ['that fails without details', { SystemStatus: { Status: 'impaired' } }],
    [
      'that fails for a shorter time',
      { SystemStatus: { Status: 'impaired', Details: [{ ...failed, ImpairedSince: new Date(now - 119_999) }] } },
    ],
    ['of the instance itself', { InstanceStatus: { Status: 'impaired', Details: [failed] } }],
    ['of no instance', { InstanceId: undefined, SystemStatus: { Status: 'impaired', Details: [failed] } }],
  ])('%s is nothing', (_, over) => expect(impairedOf(over)).toEqual([]))
})

describe('the list', () => {
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
  const ec2 = useEc2('EC2')

  const shown = async (source = statusEvents(new Ec2())) => {
    const clock = hasty(new FakeClock())
    const ctx = quietCtx({ clock: { ...clock, now: () => ec2().clock.now() } })
    const all: ShownPage[] = []
    for await (const page of source.list(scope, ctx)) all.push(page)
    return {
      notices: all.flatMap(({ notices }) => notices),
      over: all.flatMap(({ over = [] }) => over),
      impaired: all.flatMap(({ impaired = [] }) => impaired),
    }
  }
  const listed = async () => (await shown()).notices
  const calls = () =>
    ec2()
      .simulator.control.requests()
      .filter(({ action }) => action === 'DescribeInstanceStatus')

  it('is one call, for running instances', async () => {
    await ec2().launchRunning()
    expect(await listed()).toEqual([])
    expect(calls()).toHaveLength(1)
    expect(calls()[0]?.params).toMatchObject({ IncludeAllInstances: 'false', MaxResults: '1000' })
    expect(Object.keys(calls()[0]?.params ?? {}).filter((name) => name.startsWith('Filter'))).toEqual([])
  })

  it('of an account with thousands of instances is a call for each filter from the second time on', async () => {
    const { Instances = [] } = await ec2().launch({ MinCount: 2_001, MaxCount: 2_001 })
    await ec2().clock.advance(600_000)
    const [retired = '', impaired = ''] = Instances.map(({ InstanceId = '' }) => InstanceId)
    ec2().simulator.control.scheduleEvent(retired)
    ec2().simulator.control.impair(impaired)
    await ec2().clock.advance(120_000)
    const source = statusEvents(new Ec2())
    const first = await shown(source)
    expect(first).toMatchObject({ notices: [{ instance: retired }], impaired: [{ instance: impaired }] })
    expect(calls()).toHaveLength(3)
    expect(await shown(source)).toEqual(first)
    const [, , , ...then] = calls()
    expect(then.map(({ params }) => params['Filter.1.Name'])).toEqual(['event.code', 'system-status.status'])
    const sorts = ['instance-reboot', 'instance-retirement', 'instance-stop', 'system-maintenance', 'system-reboot']
    const values = Object.entries(then[0]?.params ?? {}).filter(([name]) => name.startsWith('Filter.1.Value'))
    expect(values.map(([, value]) => value)).toEqual(sorts)
    expect(then[1]?.params).toMatchObject({ 'Filter.1.Value.1': 'impaired' })
  })

  it('has the instances whose host EC2 has found impaired for two minutes, until it is repaired', async () => {
    const [id, other] = [await ec2().launchRunning(), await ec2().launchRunning()]
    await ec2().clock.advance(600_000)
    const since = ec2().clock.now()
    ec2().simulator.control.impair(id)
    ec2().simulator.control.impair(other, 'instance')
    await ec2().clock.advance(119_000)
    expect((await shown()).impaired, 'it may be a moment').toEqual([])
    await ec2().clock.advance(1_000)
    expect(await shown()).toEqual({ notices: [], over: [], impaired: [{ instance: id, since }] })
    ec2().simulator.control.repair(id)
    expect((await shown()).impaired).toEqual([])
  })

  it('has the events that are over beside those that are to come', async () => {
    const id = await ec2().launchRunning()
    ec2().simulator.control.scheduleEvent(id, { afterMs: 86_400_000 })
    const deadline = ec2().clock.now() + 86_400_000
    ec2().simulator.control.endEvents(id)
    expect(await shown()).toMatchObject({ notices: [], over: [{ instance: id, kind: 'Maintenance', deadline }] })
  })

  it('is of on-demand instances, too, and ends with the event', async () => {
    const id = await ec2().launchRunning({ InstanceMarketOptions: undefined })
    ec2().simulator.control.scheduleEvent(id, { code: 'system-maintenance', afterMs: 60_000 })
    const deadline = ec2().clock.now() + 60_000
    expect(await listed()).toMatchObject([{ instance: id, kind: 'Maintenance', deadline }])
    await ec2().clock.advance(60_000)
    expect(await listed(), 'it is completed').toEqual([])
    ec2().simulator.control.scheduleEvent(id)
    expect(await listed()).toHaveLength(1)
    ec2().simulator.control.endEvents(id)
    expect(await listed(), 'it is canceled').toEqual([])
  })

  it('reads every page', async () => {
    const { Instances = [] } = await ec2().launch({ MinCount: 1_001, MaxCount: 1_001 })
    await ec2().clock.advance(2_000)
    const ids = Instances.map(({ InstanceId = '' }) => InstanceId)
    for (const id of ids) ec2().simulator.control.scheduleEvent(id)
    expect((await listed()).map(({ instance }) => instance).toSorted()).toEqual(ids.toSorted())
    expect(calls()).toHaveLength(2)
  })
})
