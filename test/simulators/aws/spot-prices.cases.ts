import {
  DescribeSpotPriceHistoryCommand,
  paginateDescribeSpotPriceHistory,
  type DescribeSpotPriceHistoryCommandInput,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

const hour = 3_600_000
const linux: DescribeSpotPriceHistoryCommandInput = { InstanceTypes: ['m5.large'], ProductDescriptions: ['Linux/UNIX'] }

async function prices(ec2: Ec2Fixture, input: DescribeSpotPriceHistoryCommandInput) {
  const { SpotPriceHistory = [] } = await ec2.client.send(new DescribeSpotPriceHistoryCommand(input))
  return SpotPriceHistory.map(({ AvailabilityZone, SpotPrice }) => [AvailabilityZone, Number(SpotPrice)])
}

const from = (ec2: Ec2Fixture, before = 0) => new Date(ec2.clock.now() - before)

test('from now on: the price of each type in each zone, once, as a launch has to pay it', async () => {
  await using ec2 = await startEc2()
  const now = await prices(ec2, { ...linux, InstanceTypes: ['m5.large', 'g5.xlarge'], StartTime: from(ec2) })
  const zones = Object.groupBy(now, ([zone]) => String(zone))
  expect(Object.entries(zones).map(([zone, there]) => `${there?.length} in ${zone}`)).toEqual(
    expect.arrayContaining(['2 in us-east-1a', '2 in us-east-1b', '1 in us-east-1c']) as unknown,
  )
  expect(now).toContainEqual(['us-east-1a', 0.0384])
  for (const [at, subnet] of ec2.simulator.facts.subnets.entries()) {
    const [, price = 0] =
      (await prices(ec2, { ...linux, StartTime: from(ec2), AvailabilityZone: subnet.availabilityZone }))[0] ?? []
    const bid = (dollars: number) => ({
      NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: subnet.id }],
      InstanceMarketOptions: { MarketType: 'spot' as const, SpotOptions: { MaxPrice: dollars.toFixed(4) } },
    })
    expect(await refusalOf(ec2.launch(bid(Number(price) - 0.0001)))).toMatchObject({ code: 'SpotMaxPriceTooLow' })
    await ec2.launch(bid(Number(price)))
    expect(ec2.simulator.control.instances()).toHaveLength(at + 1)
  }
})

test('over a time: every change in it and the last one before it, the newest first', async () => {
  await using ec2 = await startEc2()
  const asked = { ...linux, AvailabilityZone: 'us-east-1a' }
  const count = async (before: number) => (await prices(ec2, { ...asked, StartTime: from(ec2, before) })).length
  expect([await count(0), await count(hour), await count(48 * hour), await count(90 * 24 * hour)]).toEqual([1, 2, 3, 3])
  const ended = { ...asked, StartTime: from(ec2, 48 * hour), EndTime: from(ec2, 2 * hour) }
  expect(await prices(ec2, ended)).toHaveLength(2)
  const { SpotPriceHistory = [] } = await ec2.client.send(new DescribeSpotPriceHistoryCommand(asked))
  const times = SpotPriceHistory.map(({ Timestamp }) => Timestamp?.getTime() ?? 0)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
})

test('a price changes when it is said, in one zone or in all', async () => {
  await using ec2 = await startEc2()
  await ec2.clock.advance(hour)
  ec2.simulator.control.spotPrice('m5.large', 0.05, 'us-east-1b')
  await ec2.control('spot-price', { instanceType: 'm5a.large', price: 0.06 })
  const now = (type: 'm5.large' | 'm5a.large') => prices(ec2, { ...linux, InstanceTypes: [type], StartTime: from(ec2) })
  expect(await now('m5.large')).toContainEqual(['us-east-1b', 0.05])
  expect(await now('m5.large')).toContainEqual(['us-east-1a', 0.0384])
  expect((await now('m5a.large')).map(([, price]) => price)).toEqual([0.06, 0.06, 0.06])
})

test('who does not say for which system gets the prices of all', async () => {
  await using ec2 = await startEc2()
  const asked = { InstanceTypes: ['m5.large' as const], AvailabilityZone: 'us-east-1a', StartTime: from(ec2) }
  const all = await prices(ec2, asked)
  expect(all.length).toBeGreaterThan(1)
  expect(await prices(ec2, { ...asked, ProductDescriptions: ['Linux/UNIX (Amazon VPC)'] })).toEqual([
    ['us-east-1a', 0.0384],
  ])
  const Filters = [{ Name: 'product-description', Values: ['Windows'] }]
  expect(await prices(ec2, { ...asked, Filters })).toHaveLength(1)
})

test('a page holds a thousand at most, and the last one says so with an empty token', async () => {
  await using ec2 = await startEc2()
  const { SpotPriceHistory, NextToken } = await ec2.client.send(new DescribeSpotPriceHistoryCommand({}))
  // Fifteen types in three zones and three in two; four systems; three changes each.
  expect([SpotPriceHistory?.length, NextToken]).toEqual([(15 * 3 + 3 * 2) * 4 * 3, ''])
  const sizes: (number | undefined)[] = []
  for await (const page of paginateDescribeSpotPriceHistory({ client: ec2.client, pageSize: 250 }, {})) {
    sizes.push(page.SpotPriceHistory?.length)
  }
  expect(sizes).toEqual([250, 250, 112])
  for (let change = 0; change < 40; change++) ec2.simulator.control.spotPrice('m5.large', 0.04 + change / 1000)
  expect(await prices(ec2, {})).toHaveLength(1000)
  expect(await prices(ec2, { MaxResults: 5000 })).toHaveLength(1000)
})

test('a time that is none is refused', async () => {
  await using ec2 = await startEc2()
  const ask = { Action: 'DescribeSpotPriceHistory', Version: '2016-11-15' }
  for (const StartTime of ['now', '2026-13-41T00:00:00Z', '2026-01-01']) {
    const { status, text } = await ec2.raw({ ...ask, StartTime })
    expect([status, text]).toEqual([400, expect.stringContaining('<Code>InvalidParameterValue</Code>') as string])
  }
})
