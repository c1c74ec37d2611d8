import {
  DescribeInstancesCommand,
  paginateDescribeInstances,
  type DescribeInstancesCommandInput,
  type DescribeInstancesCommandOutput,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import type { WireSpoil } from '../kit/spoils.ts'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

const page = (ec2: Ec2Fixture, NextToken?: string) =>
  ec2.client.send(new DescribeInstancesCommand({ MaxResults: 5, ...(NextToken && { NextToken }) }))

const idsOf = ({ Reservations = [] }: DescribeInstancesCommandOutput) =>
  Reservations.flatMap(({ Instances = [] }) => Instances.map(({ InstanceId }) => InstanceId))

async function launchTwelve(ec2: Ec2Fixture): Promise<(string | undefined)[]> {
  const { Instances = [] } = await ec2.launch({ MinCount: 12, MaxCount: 12 })
  return Instances.map(({ InstanceId }) => InstanceId)
}

async function pages(ec2: Ec2Fixture, input: DescribeInstancesCommandInput = {}): Promise<(string | undefined)[][]> {
  const seen: (string | undefined)[][] = []
  for await (const one of paginateDescribeInstances({ client: ec2.client, pageSize: 5 }, input)) seen.push(idsOf(one))
  return seen
}

test.each([
  ['an empty page', 'empty-page', [0, 5, 5, 2]],
  ['a page of half the size', 'short-page', [2, 5, 5]],
  ['a page of twice the size', 'long-page', [10, 2]],
] as const)('%s: whoever follows the tokens sees everything once all the same', async (_, how, sizes) => {
  await using ec2 = await startEc2()
  const launched = await launchTwelve(ec2)
  ec2.simulator.control.spoilNext('DescribeInstances', how)
  const seen = await pages(ec2)
  expect(seen.map(({ length }) => length)).toEqual(sizes)
  expect(seen.flat()).toEqual(launched)
})

test('nothing at all can take two pages', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.spoilNext('DescribeInstances', 'empty-page')
  expect(await pages(ec2)).toEqual([[], []])
})

test('an empty last page has a token too', async () => {
  await using ec2 = await startEc2()
  const launched = await launchTwelve(ec2)
  ec2.simulator.control.spoilNext('DescribeInstances', 'empty-page', 2)
  expect(await pages(ec2)).toEqual([[], [], launched.slice(0, 5), launched.slice(5, 10), launched.slice(10)])
})

test('a token that repeats itself leads to the same page again', async () => {
  await using ec2 = await startEc2()
  const launched = await launchTwelve(ec2)
  const first = await page(ec2)
  ec2.simulator.control.spoilNext('DescribeInstances', 'repeated-token', 2)
  for (const again of [await page(ec2, first.NextToken), await page(ec2, first.NextToken)]) {
    expect(again.NextToken).toBe(first.NextToken)
    expect(idsOf(again)).toEqual(launched.slice(5, 10))
  }
  const { NextToken } = await page(ec2, first.NextToken)
  expect(idsOf(await page(ec2, NextToken))).toEqual(launched.slice(10))
})

test('a first page may lead to itself', async () => {
  await using ec2 = await startEc2()
  const launched = await launchTwelve(ec2)
  ec2.simulator.control.spoilNext('DescribeInstances', 'repeated-token', 2)
  const { NextToken } = await page(ec2)
  const again = await page(ec2, NextToken)
  expect([idsOf(again), again.NextToken]).toEqual([launched.slice(0, 5), NextToken])
})

test('the last page of several never comes; a list of one page is left alone', async () => {
  await using ec2 = await startEc2()
  const launched = await launchTwelve(ec2)
  ec2.simulator.control.spoilNext('DescribeInstances', 'lost-page')
  expect(idsOf(await ec2.client.send(new DescribeInstancesCommand({})))).toEqual(launched)
  await expect(pages(ec2)).rejects.toThrow(/socket hang up|ECONNRESET/)
  expect(ec2.simulator.requests.map(({ lost }) => lost)).toEqual([false, false, false, false, true])
  expect((await pages(ec2)).flat()).toEqual(launched)
})

test.each<[WireSpoil, object]>([
  ['cut-body', { code: 'ECONNRESET' }],
  ['half-body', { message: expect.stringContaining('XML parse error') as string }],
  ['garbage', { message: expect.stringContaining('XML parse error') as string }],
  ['proxy-page', { $metadata: expect.objectContaining({ httpStatusCode: 502 }) as object }],
])('%s is an error to the client, though the call was done', async (how, failure) => {
  await using ec2 = await startEc2()
  ec2.simulator.control.spoilNext('RunInstances', how)
  await expect(ec2.launch({ ClientToken: 't' })).rejects.toMatchObject(failure)
  const { Instances } = await ec2.launch({ ClientToken: 't' })
  expect(ec2.simulator.control.instances()).toMatchObject([{ id: Instances?.[0]?.InstanceId }])
})

test('a document of another kind is no error to the client: it reads an answer in which nothing stands', async () => {
  await using ec2 = await startEc2()
  await launchTwelve(ec2)
  ec2.simulator.control.spoilNext('DescribeInstances', 'foreign-document')
  const { Reservations, NextToken } = await ec2.client.send(new DescribeInstancesCommand({}))
  expect([Reservations, NextToken]).toEqual([undefined, undefined])
})

test('a refusal can come to harm as well', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.spoilNext('*', 'proxy-page')
  expect(await refusalOf(ec2.launch({ KeyName: 'gone' }))).toMatchObject({ status: 502 })
  expect(await refusalOf(ec2.launch({ KeyName: 'gone' }))).toMatchObject({ code: 'InvalidKeyPair.NotFound' })
})

test('a call that hangs is done and not answered, until the faults are cleared', async () => {
  await using ec2 = await startEc2()
  await ec2.control('spoil-next', { action: 'RunInstances', how: 'hang' })
  let isOver = false
  const launch = ec2.launch().finally(() => (isOver = true))
  const ending = launch.then(
    () => 'answered',
    (error: Error) => error.message,
  )
  await until(() => ec2.simulator.requests[0]?.lost === true, 'the call to hang')
  expect(ec2.simulator.control.instances()).toHaveLength(1)
  await ec2.clock.advance(3_600_000)
  expect(isOver).toBe(false)
  await ec2.control('clear-faults', {})
  expect(await ending).toMatch(/socket hang up|ECONNRESET/)
})

test('a call that hangs ends with the simulator', async () => {
  const ec2 = await startEc2()
  ec2.simulator.control.spoilNext('RunInstances', 'hang')
  const ending = ec2.launch().then(
    () => 'answered',
    (error: Error) => error.message,
  )
  await until(() => ec2.simulator.requests[0]?.lost === true, 'the call to hang')
  await ec2[Symbol.asyncDispose]()
  expect(await ending).toMatch(/socket hang up|ECONNRESET/)
})
