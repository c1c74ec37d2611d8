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
