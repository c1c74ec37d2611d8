import {
  DescribeInstancesCommand,
  TerminateInstancesCommand,
  type DescribeInstancesCommandInput,
  type Filter,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

const nowhere = ['i-0123456789abcdef0', 'i-0123456789abcdef1'] as const

async function ids(ec2: Ec2Fixture, input: DescribeInstancesCommandInput = {}): Promise<(string | undefined)[]> {
  const { Reservations } = await ec2.client.send(new DescribeInstancesCommand(input))
  return Reservations?.flatMap(({ Instances }) => Instances?.map(({ InstanceId }) => InstanceId) ?? []) ?? []
}

test.each([
  ['an id that is none', { InstanceIds: ['web-1'] }, 'InvalidInstanceID.Malformed', 'Invalid id: "web-1"'],
  [
    'ids with MaxResults',
    { InstanceIds: [nowhere[0]], MaxResults: 5 },
    'InvalidParameterCombination',
    'The parameter instancesSet cannot be used with the parameter maxResults',
  ],
  ['MaxResults below 5', { MaxResults: 4 }, 'InvalidParameterValue', 'between 5 and 1000'],
  ['MaxResults above 1000', { MaxResults: 1001 }, 'InvalidParameterValue', 'between 5 and 1000'],
  ['a token that is none', { NextToken: 'next' }, 'InvalidParameterValue', 'The token is invalid.'],
  ['an empty token', { NextToken: '' }, 'InvalidParameterValue', 'The token is invalid.'],
  [
    'a filter that EC2 has not',
    { Filters: [{ Name: 'owner', Values: ['me'] }] },
    'InvalidParameterValue',
    "The filter 'owner' is invalid",
  ],
  [
    'a filter in another case',
    { Filters: [{ Name: 'Instance-Id', Values: ['x'] }] },
    'InvalidParameterValue',
    'Instance-Id',
  ],
  ['a filter without values', { Filters: [{ Name: 'vpc-id' }] }, 'MissingParameter', 'Filter.1.Value'],
  ['values without a filter', { Filters: [{ Values: ['a'] }] }, 'MissingParameter', 'Filter.1.Name'],
  [
    'more than 200 values of a filter',
    { Filters: [{ Name: 'instance-id', Values: Array.from({ length: 201 }, () => nowhere[0]) }] },
    'FilterLimitExceeded',
    'The maximum number of filter values specified on a single call is 200',
  ],
] as const)('DescribeInstances refuses %s', async (_, input, code, message) => {
  await using ec2 = await startEc2()
  const refusal = await refusalOf(ids(ec2, input as unknown as DescribeInstancesCommandInput))
  expect(refusal).toEqual({ code, status: 400, message: expect.stringContaining(message) as string })
})

test('one unknown id fails the whole call, and all that are unknown are named', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  expect(await refusalOf(ids(ec2, { InstanceIds: [id, nowhere[0]] }))).toMatchObject({
    code: 'InvalidInstanceID.NotFound',
    message: `The instance ID '${nowhere[0]}' does not exist`,
  })
  expect(await refusalOf(ids(ec2, { InstanceIds: [...nowhere, id] }))).toMatchObject({
    message: `The instance IDs '${nowhere.join(', ')}' do not exist`,
  })
})

test('an unknown id in a filter is no error, and takes nothing from the others', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  const Filters = [{ Name: 'instance-id', Values: [id, nowhere[0], 'rubbish'] }]
  expect(await ids(ec2, { Filters })).toEqual([id])
})

test('filters find by what is said of an instance', async () => {
  await using ec2 = await startEc2()
  const { facts } = ec2.simulator
  const spot = await ec2.launchRunning({ ClientToken: 'spot-1' })
  const other = await ec2.launchOne({
    InstanceType: 'm5a.large',
    InstanceMarketOptions: undefined,
    TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'owner', Value: 'team-b' }] }],
    NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: facts.subnets[1]?.id }],
  })
  const cases: [Filter, string[]][] = [
    [{ Name: 'instance-state-name', Values: ['running'] }, [spot]],
    [{ Name: 'instance-state-name', Values: ['pending', 'running'] }, [spot, other]],
    [{ Name: 'instance-state-code', Values: ['0'] }, [other]],
    [{ Name: 'client-token', Values: ['spot-1'] }, [spot]],
    [{ Name: 'instance-lifecycle', Values: ['spot'] }, [spot]],
    [{ Name: 'tag:Name', Values: ['worker'] }, [spot]],
    [{ Name: 'tag:name', Values: ['worker'] }, []],
    [{ Name: 'tag-key', Values: ['owner'] }, [other]],
    [{ Name: 'vpc-id', Values: [facts.vpc] }, [spot, other]],
    [{ Name: 'subnet-id', Values: [facts.subnet] }, [spot]],
    [{ Name: 'availability-zone', Values: ['us-east-1b'] }, [other]],
    [{ Name: 'private-ip-address', Values: ['10.0.64.4'] }, [other]],
    [{ Name: 'private-dns-name', Values: ['ip-10-0-0-4.ec2.internal'] }, [spot]],
    [{ Name: 'instance-type', Values: ['m5*'] }, [spot, other]],
    [{ Name: 'instance-type', Values: ['m5?.large'] }, [other]],
    [{ Name: 'instance-type', Values: ['M5.large'] }, []],
    [{ Name: 'tag:owner', Values: ['team-\\*'] }, []],
    [{ Name: 'owner-id', Values: ['123456789012'] }, [spot, other]],
  ]
  const results: [Filter, (string | undefined)[]][] = []
  for (const [filter] of cases) results.push([filter, await ids(ec2, { Filters: [filter] })])
  expect(results).toEqual(cases)
})

test('every filter must pass, and one value of each is enough', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  const state = { Name: 'instance-state-name', Values: ['pending'] }
  expect(await ids(ec2, { Filters: [state, { Name: 'instance-id', Values: [nowhere[0], id] }] })).toEqual([id])
  expect(await ids(ec2, { Filters: [state, { Name: 'instance-id', Values: [...nowhere] }] })).toEqual([])
})

test('a terminated instance is in no network: filters by network do not find it', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  await ec2.clock.advance(1000)
  expect(await ids(ec2, { Filters: [{ Name: 'vpc-id', Values: ['*'] }] })).toEqual([])
  expect(await ids(ec2, { Filters: [{ Name: 'tag:Name', Values: ['worker'] }] })).toEqual([id])
})

test('a token belongs to the call that gave it', async () => {
  await using ec2 = await startEc2()
  await ec2.launch({ MinCount: 6, MaxCount: 6 })
  const { NextToken } = await ec2.client.send(new DescribeInstancesCommand({ MaxResults: 5 }))
  expect(NextToken).toBeDefined()
  const answer = await ec2.raw({ Action: 'DescribeSubnets', Version: '2016-11-15', NextToken: NextToken ?? '' })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('The token is invalid.')
})
