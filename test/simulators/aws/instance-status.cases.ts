import { DescribeInstanceStatusCommand, type DescribeInstanceStatusCommandInput } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

async function statuses(ec2: Ec2Fixture, input: DescribeInstanceStatusCommandInput = {}) {
  const { InstanceStatuses = [] } = await ec2.client.send(new DescribeInstanceStatusCommand(input))
  return InstanceStatuses.map((one) => [
    one.InstanceState?.Name,
    one.SystemStatus?.Status,
    one.InstanceStatus?.Status,
    one.SystemStatus?.Details?.[0]?.ImpairedSince,
  ])
}

test('only what runs has a status, and its checks take two minutes', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  expect(await statuses(ec2)).toEqual([])
  expect(await statuses(ec2, { IncludeAllInstances: true })).toEqual([
    ['pending', 'not-applicable', 'not-applicable', undefined],
  ])
  await ec2.clock.advance(2000 + 119_999)
  expect(await statuses(ec2)).toEqual([['running', 'initializing', 'initializing', undefined]])
  await ec2.clock.advance(1)
  expect(await statuses(ec2, { InstanceIds: [id] })).toEqual([['running', 'ok', 'ok', undefined]])
})

test('a check fails from when it is said until it is repaired', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  await ec2.clock.advance(600_000)
  const since = new Date(ec2.clock.now())
  await ec2.control('impair', { id })
  await ec2.clock.advance(1000)
  ec2.simulator.control.impair(id, 'instance')
  expect(await statuses(ec2)).toEqual([['running', 'impaired', 'impaired', since]])
  const Filters = [{ Name: 'system-status.status', Values: ['impaired'] }]
  expect(await statuses(ec2, { Filters })).toHaveLength(1)
  await ec2.control('repair', { id })
  await ec2.control('impair', { id, for: '3m' })
  const [[, , , earlier] = []] = await statuses(ec2)
  expect(earlier).toEqual(new Date(ec2.clock.now() - 180_000))
  await ec2.control('repair', { id })
  expect(await statuses(ec2)).toEqual([['running', 'ok', 'ok', undefined]])
  expect(await statuses(ec2, { Filters })).toEqual([])
})

test('it follows the rules of lists: ids or pages, and late as lists are', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  expect(await refusalOf(statuses(ec2, { InstanceIds: [id], MaxResults: 5 }))).toMatchObject({
    code: 'InvalidParameterCombination',
  })
  ec2.simulator.control.invisible({ create: 60_000 })
  expect(await statuses(ec2)).toEqual([])
  expect(await refusalOf(statuses(ec2, { InstanceIds: [id] }))).toMatchObject({ code: 'InvalidInstanceID.NotFound' })
})

const week = 7 * 24 * 3_600_000

/** Code, description and times of the events that are shown. */
async function events(ec2: Ec2Fixture, input: DescribeInstanceStatusCommandInput = {}) {
  const { InstanceStatuses = [] } = await ec2.client.send(new DescribeInstanceStatusCommand(input))
  return InstanceStatuses.flatMap(({ InstanceId, Events = [] }) =>
    Events.map(({ Code, Description, NotBefore }) => [InstanceId, Code, Description, NotBefore]),
  )
}

const coded = (...Values: string[]) => ({ Filters: [{ Name: 'event.code', Values }] })

test('an event is shown from when it is scheduled, and of its code', async () => {
  await using ec2 = await startEc2()
  const [rebooted, retired] = [await ec2.launchRunning(), await ec2.launchRunning()]
  await ec2.launchRunning()
  expect(await events(ec2)).toEqual([])
  const now = ec2.clock.now()
  await ec2.control('schedule-event', { id: rebooted, code: 'system-reboot', after: '1h' })
  ec2.simulator.control.scheduleEvent(retired)
  const reboot = [rebooted, 'system-reboot', expect.any(String), new Date(now + 3_600_000)]
  const retirement = [retired, 'instance-retirement', expect.any(String), new Date(now + 2 * week)]
  expect(await events(ec2)).toEqual([reboot, retirement])
  expect(await events(ec2, coded('system-reboot'))).toEqual([reboot])
  expect(await events(ec2, coded('system-reboot', 'instance-retirement'))).toEqual([reboot, retirement])
  expect(await statuses(ec2, coded('instance-stop')), 'filters are for instances').toEqual([])
  const both = [...coded('system-reboot').Filters, { Name: 'system-status.status', Values: ['impaired'] }]
  expect(await statuses(ec2, { Filters: both }), 'each filter has to pass').toEqual([])
  const Filters = [{ Name: 'event.kind', Values: ['reboot'] }]
  expect(await refusalOf(statuses(ec2, { Filters }))).toMatchObject({ code: 'InvalidParameterValue' })
})

test('what is over stays for a week, and its description says so', async () => {
  await using ec2 = await startEc2()
  const [rebooted, spared] = [await ec2.launchRunning(), await ec2.launchRunning()]
  ec2.simulator.control.scheduleEvent(rebooted, { code: 'instance-reboot', afterMs: 1_000 })
  ec2.simulator.control.scheduleEvent(spared)
  await ec2.control('end-events', { id: spared })
  await ec2.clock.advance(1_000)
  const shown = await events(ec2, coded('instance-reboot', 'instance-retirement'))
  expect(shown.map(([id, , description]) => [id, String(description).split(' ')[0]])).toEqual([
    [rebooted, '[Completed]'],
    [spared, '[Canceled]'],
  ])
  expect((await ec2.look(rebooted)).State?.Name).toBe('running')
  await ec2.clock.advance(week)
  expect(await events(ec2)).toEqual([])
  await ec2.clock.advance(week)
  expect((await ec2.look(spared)).State?.Name, 'a canceled event does nothing').toBe('running')
})

test('a retirement stops its instance, and then only a list of all shows its event', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  ec2.simulator.control.scheduleEvent(id, { afterMs: 60_000 })
  await ec2.clock.advance(60_000)
  const { State, StateReason } = await ec2.look(id)
  expect([State?.Name, StateReason?.Code]).toEqual(['stopping', 'Server.ScheduledStop'])
  expect(await events(ec2)).toEqual([])
  const [event, ...others] = await events(ec2, { IncludeAllInstances: true })
  expect([event?.slice(0, 2), others]).toEqual([[id, 'instance-retirement'], []])
})
