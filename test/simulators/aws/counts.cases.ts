import { DescribeInstancesCommand, DescribeRegionsCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

const regions = (ec2: Ec2Fixture) => ec2.client.send(new DescribeRegionsCommand({}))

test('calls are counted by action and by code, refused and lost ones too', async () => {
  await using ec2 = await startEc2()
  const { control } = ec2.simulator
  const since = ec2.clock.now()
  await ec2.clock.advance(1000)
  await ec2.launch()
  control.noCapacity()
  await refusalOf(ec2.launch())
  control.capacityBack()
  control.answerLostAfterCommit('RunInstances')
  await expect(ec2.launch()).rejects.toThrow(/socket hang up|ECONNRESET/)
  await ec2.client.send(new DescribeInstancesCommand({}))
  expect(control.counts()).toEqual({
    since,
    calls: 4,
    lost: 1,
    codes: { OK: 3, InsufficientInstanceCapacity: 1 },
    actions: {
      RunInstances: { calls: 3, lost: 1, codes: { OK: 2, InsufficientInstanceCapacity: 1 } },
      DescribeInstances: { calls: 1, lost: 0, codes: { OK: 1 } },
    },
  })
})

test('over HTTP, and again from nothing; control calls are no calls', async () => {
  await using ec2 = await startEc2()
  await regions(ec2)
  await ec2.clock.advance(5000)
  expect((await ec2.control('counts')).json).toMatchObject({ calls: 1, actions: { DescribeRegions: { calls: 1 } } })
  await ec2.control('reset-counts', {})
  const counts = { since: ec2.clock.now(), calls: 0, lost: 0, codes: {}, actions: {} }
  expect((await ec2.control('counts')).json).toEqual(counts)
})

test('a call that was under way at a reset belongs to the count before it', async () => {
  await using ec2 = await startEc2()
  const hold = ec2.simulator.control.hold('RunInstances', 'before')
  const launch = ec2.launch()
  await hold.reached
  expect(ec2.simulator.control.counts().actions).toEqual({ RunInstances: { calls: 1, lost: 0, codes: {} } })
  ec2.simulator.control.resetCounts()
  hold.release()
  await launch
  expect(ec2.simulator.control.counts()).toEqual({ since: ec2.clock.now(), calls: 0, lost: 0, codes: {}, actions: {} })
})

test('only so many calls are remembered one by one, the last ones, and all are counted', async () => {
  await using ec2 = await startEc2({ keptRequests: 10 })
  for (let call = 0; call < 35; call++) await regions(ec2)
  const numbers = ec2.simulator.requests.map(({ number }) => number)
  expect(numbers.length).toBeGreaterThanOrEqual(9)
  expect(numbers.length).toBeLessThanOrEqual(10)
  expect(numbers).toEqual(numbers.map((_, at) => 35 - numbers.length + 1 + at))
  expect(ec2.simulator.control.counts().calls).toBe(35)
})

test('none at all need be remembered', async () => {
  await using ec2 = await startEc2({ keptRequests: 0 })
  await ec2.launch()
  expect([ec2.simulator.requests, ec2.simulator.control.requests()]).toEqual([[], []])
  expect(ec2.simulator.control.counts()).toMatchObject({ calls: 1, codes: { OK: 1 } })
})
