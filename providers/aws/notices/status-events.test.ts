import type { InstanceStatus, InstanceStatusEvent } from '@aws-sdk/client-ec2'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Notice } from '../../../api/notice.ts'
import { startEc2, type Ec2Fixture } from '../../../test/simulators/aws/fixture.ts'
import { FakeClock, hasty } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { Ec2 } from '../wire/client.ts'
import { eventsIn, statusEvents } from './status-events.ts'

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
const noticesOf = (...InstanceStatuses: InstanceStatus[]) => eventsIn({ InstanceStatuses }, now)

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
    expect(() => eventsIn({}, now)).toThrow('does not come from EC2')
  })
})

describe('the list', () => {
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
  let ec2: Ec2Fixture
  beforeEach(async () => {
    ec2 = await startEc2()
    vi.stubEnv('AWS_ENDPOINT_URL_EC2', ec2.simulator.url)
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await ec2[Symbol.asyncDispose]()
  })

  const listed = async () => {
    const all: Notice[] = []
    for await (const page of statusEvents(new Ec2()).list(scope, quietCtx({ clock: hasty(new FakeClock()) })))
      all.push(...page)
    return all
  }
  const calls = () => ec2.simulator.control.requests().filter(({ action }) => action === 'DescribeInstanceStatus')

  it('is one call, for running instances and for the codes of events', async () => {
    await ec2.launchRunning()
    expect(await listed()).toEqual([])
    expect(calls()).toHaveLength(1)
    expect(calls()[0]?.params).toMatchObject({
      'Filter.1.Name': 'event.code',
      'Filter.1.Value.1': 'instance-reboot',
      'Filter.1.Value.2': 'instance-retirement',
      'Filter.1.Value.3': 'instance-stop',
      'Filter.1.Value.4': 'system-maintenance',
      'Filter.1.Value.5': 'system-reboot',
      IncludeAllInstances: 'false',
      MaxResults: '1000',
    })
    const parameters = Object.keys(calls()[0]?.params ?? {})
    expect(parameters, 'no further code').not.toContain('Filter.1.Value.6')
    expect(parameters, 'no further filter').not.toContain('Filter.2.Name')
  })

  it('is of on-demand instances, too, and ends with the event', async () => {
    const id = await ec2.launchRunning({ InstanceMarketOptions: undefined })
    ec2.simulator.control.scheduleEvent(id, { code: 'system-maintenance', afterMs: 60_000 })
    const deadline = ec2.clock.now() + 60_000
    expect(await listed()).toMatchObject([{ instance: id, kind: 'Maintenance', deadline }])
    await ec2.clock.advance(60_000)
    expect(await listed(), 'it is completed').toEqual([])
    ec2.simulator.control.scheduleEvent(id)
    expect(await listed()).toHaveLength(1)
    ec2.simulator.control.endEvents(id)
    expect(await listed(), 'it is canceled').toEqual([])
  })

  it('reads every page', async () => {
    const { Instances = [] } = await ec2.launch({ MinCount: 1_001, MaxCount: 1_001 })
    await ec2.clock.advance(2_000)
    const ids = Instances.map(({ InstanceId = '' }) => InstanceId)
    for (const id of ids) ec2.simulator.control.scheduleEvent(id)
    expect((await listed()).map(({ instance }) => instance).toSorted()).toEqual(ids.toSorted())
    expect(calls()).toHaveLength(2)
  })
})
