import { DescribeRegionsCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { Latency } from '../kit/latency.ts'
import { startEc2 } from './fixture.ts'

test('an answer takes its time on its way; what it tells of is done already', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.latency({ minMs: 200, action: 'RunInstances' })
  let isAnswered = false
  const launch = ec2.launch().then(() => (isAnswered = true))
  await until(() => ec2.clock.pending === 2, 'the boot and the answer to wait')
  expect(ec2.simulator.control.instances()).toHaveLength(1)
  await ec2.client.send(new DescribeRegionsCommand({}))
  await ec2.clock.advance(199)
  await ec2.client.send(new DescribeRegionsCommand({}))
  expect(isAnswered).toBe(false)
  await ec2.clock.advance(1)
  await launch
})

test('times lie between the least and the most, spread over both halves, and are the same for the same seed', () => {
  const draw = (seed: number) => {
    const latency = new Latency()
    latency.set({ minMs: 50, maxMs: 250, seed })
    return Array.from({ length: 100 }, () => latency.of('RunInstances'))
  }
  const times = draw(1)
  expect(Math.min(...times)).toBeGreaterThanOrEqual(50)
  expect(Math.max(...times)).toBeLessThanOrEqual(250)
  const quick = times.filter((time) => time < 150).length
  expect(quick).toBeGreaterThan(30)
  expect(quick).toBeLessThan(70)
  expect(draw(1)).toEqual(times)
  expect(draw(2)).not.toEqual(times)
})

test('over HTTP, until the faults are cleared', async () => {
  await using ec2 = await startEc2()
  await ec2.control('latency', { min: '100ms', max: '1s', seed: 4 })
  const slow = ec2.client.send(new DescribeRegionsCommand({}))
  await until(() => ec2.clock.pending === 1, 'the answer to wait')
  await ec2.control('clear-faults', {})
  const quick = await ec2.client.send(new DescribeRegionsCommand({}))
  expect(ec2.clock.pending).toBe(1)
  await ec2.clock.advance(1000)
  expect((await slow).Regions).toEqual(quick.Regions)
})

test('a simulator that ends does not wait for its answers', async () => {
  const ec2 = await startEc2()
  ec2.simulator.control.latency({ minMs: 60_000 })
  const ending = ec2.client.send(new DescribeRegionsCommand({})).then(
    () => 'answered',
    (error: Error) => error.message,
  )
  await until(() => ec2.clock.pending === 1, 'the answer to wait')
  await ec2[Symbol.asyncDispose]()
  expect(await ending).toMatch(/socket hang up|ECONNRESET/)
  expect(ec2.clock.pending).toBe(0)
})
