import {
  DescribeSpotInstanceRequestsCommand,
  TerminateInstancesCommand,
  type DescribeSpotInstanceRequestsCommandInput,
  type DescribeSpotInstanceRequestsCommandOutput,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

const hour = 3_600_000
const begun = Date.UTC(2026, 0, 1)
const mark = { Key: 'example.com/mark', Value: 'ours' }

function ask(
  { client }: Ec2Fixture,
  input: DescribeSpotInstanceRequestsCommandInput = {},
): Promise<DescribeSpotInstanceRequestsCommandOutput> {
  return client.send(new DescribeSpotInstanceRequestsCommand(input))
}

/** State, status code, its time as seconds since the begin, and the instance. */
async function requests(ec2: Ec2Fixture, input?: DescribeSpotInstanceRequestsCommandInput) {
  const { SpotInstanceRequests = [] } = await ask(ec2, input)
  return SpotInstanceRequests.map(({ State, Status, InstanceId }) => [
    State,
    Status?.Code,
    ((Status?.UpdateTime?.getTime() ?? Number.NaN) - begun) / 1000,
    InstanceId,
  ])
}

const filtered = (Name: string, ...Values: string[]) => ({ Filters: [{ Name, Values }] })

const marked = { TagSpecifications: [{ ResourceType: 'spot-instances-request' as const, Tags: [mark] }] }

test('a request is active and fulfilled while its instance runs', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning(marked)
  await ec2.launchRunning({ InstanceMarketOptions: undefined })
  const { SpotInstanceRequests } = await ask(ec2)
  expect(SpotInstanceRequests).toEqual([
    expect.objectContaining({
      SpotInstanceRequestId: (await ec2.look(id)).SpotInstanceRequestId,
      InstanceId: id,
      Type: 'one-time',
      State: 'active',
      Status: { Code: 'fulfilled', Message: expect.any(String) as string, UpdateTime: new Date(begun) },
      InstanceInterruptionBehavior: 'terminate',
      LaunchedAvailabilityZone: 'us-east-1a',
      Tags: [mark],
    }),
  ])
})

test('an interruption closes the request at once, with the code of the end, and the instance runs two minutes more', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  ec2.simulator.control.notice(id)
  const closed = [['closed', 'instance-terminated-no-capacity', 2, id]]
  await ec2.clock.advance(119_999)
  expect(await requests(ec2)).toEqual(closed)
  expect((await ec2.look(id)).State?.Name).toBe('running')
  await ec2.clock.advance(1)
  expect((await ec2.look(id)).State?.Name).toBe('shutting-down')
  await ec2.clock.advance(1000)
  expect(await requests(ec2), 'the end changes nothing of the request').toEqual(closed)
})

test('a notice may be shorter, and of another code; only a notice of the end ends an instance', async () => {
  await using ec2 = await startEc2()
  const [short, canceled] = [await ec2.launchRunning(), await ec2.launchRunning()]
  await ec2.control('notice', { id: short, code: 'marked-for-termination', after: '5s' })
  await ec2.control('notice', { id: canceled, code: 'request-canceled-and-instance-running', after: '5s' })
  expect(await requests(ec2)).toEqual([
    ['active', 'marked-for-termination', 4, short],
    ['cancelled', 'request-canceled-and-instance-running', 4, canceled],
  ])
  await ec2.clock.advance(5000)
  expect((await ec2.look(short)).State?.Name).toBe('shutting-down')
  expect((await ec2.look(canceled)).State?.Name).toBe('running')
  expect((await requests(ec2))[0]).toEqual(['closed', 'instance-terminated-no-capacity', 9, short])
})

test('a notice that EC2 takes back ends nothing, and the request is as before', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  await ec2.control('notice', { id, code: 'marked-for-termination', after: '5s' })
  await ec2.clock.advance(1_000)
  await ec2.control('take-back-notice', { id })
  expect(await requests(ec2)).toEqual([['active', 'fulfilled', 3, id]])
  await ec2.clock.advance(60_000)
  expect((await ec2.look(id)).State?.Name).toBe('running')
})

test('of an end by its user the request says so', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  expect(await requests(ec2)).toEqual([['closed', 'instance-terminated-by-user', 2, id]])
})

test('a request is shown for four hours after the end of its instance', async () => {
  await using ec2 = await startEc2({ shutdownMs: 0 })
  const id = await ec2.launchRunning()
  ec2.simulator.control.notice(id, { afterMs: 60_000 })
  await ec2.clock.advance(60_000 + 4 * hour - 1)
  expect(await requests(ec2)).toHaveLength(1)
  await ec2.clock.advance(1)
  expect(await requests(ec2)).toEqual([])
})

test('filters: the tags of the request and not those of its instance, its state, its code', async () => {
  await using ec2 = await startEc2()
  const ours = await ec2.launchRunning(marked)
  const theirs = await ec2.launchRunning({ TagSpecifications: [{ ResourceType: 'instance', Tags: [mark] }] })
  ec2.simulator.control.notice(theirs)
  const of = async (name: string, ...values: string[]) =>
    (await requests(ec2, filtered(name, ...values))).map(([, , , id]) => id)
  expect(await of('tag-key', mark.Key)).toEqual([ours])
  expect(await of(`tag:${mark.Key}`, 'ours')).toEqual([ours])
  expect(await of(`tag:${mark.Key}`, 'yours')).toEqual([])
  expect(await of('state', 'closed')).toEqual([theirs])
  expect(await of('status-code', 'fulfilled', 'marked-for-termination')).toEqual([ours])
  expect(await of('instance-id', theirs)).toEqual([theirs])
  expect(await of('fault-code', '*')).toEqual([])
})

test('pages: of 5 to 1000, each request on one of them', async () => {
  await using ec2 = await startEc2()
  await ec2.launch({ MinCount: 11, MaxCount: 11 })
  const seen: (string | undefined)[] = []
  const sizes: number[] = []
  let NextToken: string | undefined
  do {
    const page = await ask(ec2, { MaxResults: 5, ...(NextToken === undefined ? {} : { NextToken }) })
    const ids = (page.SpotInstanceRequests ?? []).map(({ InstanceId }) => InstanceId)
    seen.push(...ids)
    sizes.push(ids.length)
    NextToken = page.NextToken
  } while (NextToken !== undefined)
  expect(sizes).toEqual([5, 5, 1])
  expect(new Set(seen).size).toBe(11)
})

test.each<[string, DescribeSpotInstanceRequestsCommandInput, string]>([
  ['a page of four', { MaxResults: 4 }, 'InvalidParameterValue'],
  ['a page of 1001', { MaxResults: 1001 }, 'InvalidParameterValue'],
  ['a token that it never gave', { MaxResults: 5, NextToken: 'mine' }, 'InvalidParameterValue'],
  ['a filter that it does not have', filtered('status', 'fulfilled'), 'InvalidParameterValue'],
  ['a filter of an instance', filtered('client-token', 'one'), 'InvalidParameterValue'],
  ['ids with pages', { SpotInstanceRequestIds: ['sir-abcdefgh'], MaxResults: 5 }, 'InvalidParameterCombination'],
  ['an id that is none', { SpotInstanceRequestIds: ['i-0c1a0000000000001'] }, 'InvalidSpotInstanceRequestID.Malformed'],
  ['an id of nothing', { SpotInstanceRequestIds: ['sir-abcdefgh'] }, 'InvalidSpotInstanceRequestID.NotFound'],
])('EC2 refuses %s', async (_, input, code) => {
  await using ec2 = await startEc2()
  expect(await refusalOf(ask(ec2, input))).toMatchObject({ code, status: 400 })
})
