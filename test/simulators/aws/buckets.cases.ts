import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { letIn as countLetIn } from '../suite/let-in.ts'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { Buckets } from './http/buckets.ts'
import { Ec2Error } from './http/errors.ts'
import { refusalOf, startEc2 } from './fixture.ts'

const exceeded = { code: 'RequestLimitExceeded', status: 503, message: 'Request limit exceeded.' }

const isRefusal = (error: Error) => error instanceof Ec2Error && error.code === 'RequestLimitExceeded'
const letIn = (buckets: Buckets, count: number, [action, ...parameters]: readonly [string, ...string[]]) =>
  countLetIn(count, () => buckets.admit(action, parameters), isRefusal)

test.each<[string, [string, ...string[]], { burst: number; perSecond: number }]>([
  ['launches', ['RunInstances', 'MaxCount'], { burst: 5, perSecond: 2 }],
  ['ends', ['TerminateInstances', 'InstanceId.1'], { burst: 100, perSecond: 5 }],
  ['tags', ['CreateTags', 'ResourceId.1'], { burst: 100, perSecond: 10 }],
  ['other changes', ['CreateFleet'], { burst: 50, perSecond: 5 }],
  ['lists with a filter', ['DescribeInstances', 'Filter.1.Name'], { burst: 100, perSecond: 20 }],
  ['lists by pages', ['DescribeInstances', 'MaxResults'], { burst: 100, perSecond: 20 }],
  ['further pages', ['DescribeVolumes', 'NextToken'], { burst: 100, perSecond: 20 }],
  ['lists of everything', ['DescribeInstances'], { burst: 50, perSecond: 10 }],
  ['lists by ids alone', ['DescribeInstances', 'InstanceId.1'], { burst: 50, perSecond: 10 }],
  ['other lists of everything', ['DescribeImages', 'ImageId.1'], { burst: 100, perSecond: 20 }],
])("EC2's bucket for %s", async (_, call, { burst, perSecond }) => {
  const clock = new FakeClock()
  const buckets = new Buckets(clock, 'real')
  expect(letIn(buckets, burst + 10, call)).toBe(burst)
  await clock.advance(1000)
  expect(letIn(buckets, burst + 10, call)).toBe(perSecond)
  await clock.advance(3_600_000)
  expect(letIn(buckets, burst + 10, call)).toBe(burst)
})

test('an action with a size of its own has that size, whatever is asked of it', () => {
  const own = { most: 3, perSecond: 1 }
  const table = { unfiltered: { most: 1, perSecond: 1 }, actions: { DescribeInstances: own } }
  expect(letIn(new Buckets(new FakeClock(), table), 9, ['DescribeInstances'])).toBe(3)
  expect(letIn(new Buckets(new FakeClock(), table), 9, ['DescribeInstances', 'MaxResults'])).toBe(3)
})

test.each([
  ['launched', 'RunInstances', 2],
  ['ended', 'TerminateInstances', 20],
])('a thousand instances can be %s in whatever calls, then %s goes on slowly', async (_, action, perSecond) => {
  const clock = new FakeClock()
  const buckets = new Buckets(clock, 'real')
  for (const count of [400, 600]) buckets.takeInstances(action, count)
  expect(() => buckets.takeInstances(action, 1)).toThrow('Request limit exceeded.')
  await clock.advance(5000)
  buckets.takeInstances(action, 5 * perSecond)
  expect(() => buckets.takeInstances(action, 1)).toThrow('Request limit exceeded.')
})

test('a call that is refused for another reason has taken its token all the same', async () => {
  await using ec2 = await startEc2({ buckets: { actions: { RunInstances: { most: 1, perSecond: 1 } } } })
  expect(await refusalOf(ec2.launch({ KeyName: 'gone' }))).toMatchObject({ code: 'InvalidKeyPair.NotFound' })
  expect(await refusalOf(ec2.launch())).toEqual(exceeded)
})

test('instances have a bucket of their own, which a repeated or refused launch does not touch', async () => {
  await using ec2 = await startEc2({ buckets: { instances: { RunInstances: { most: 10, perSecond: 1 } } } })
  const six = { MinCount: 6, MaxCount: 6 }
  await ec2.launch({ ...six, ClientToken: 't' })
  await ec2.launch({ ...six, ClientToken: 't' })
  expect(await refusalOf(ec2.launch({ ...six, KeyName: 'gone' }))).toMatchObject({ code: 'InvalidKeyPair.NotFound' })
  expect(await refusalOf(ec2.launch(six))).toEqual(exceeded)
  await ec2.launch({ MinCount: 4, MaxCount: 4 })
  await ec2.clock.advance(6000)
  await ec2.launch(six)
  expect(ec2.simulator.control.instances()).toHaveLength(16)
})

test('an end that is refused ends nothing', async () => {
  await using ec2 = await startEc2({ buckets: { instances: { TerminateInstances: { most: 1, perSecond: 1 } } } })
  const { Instances = [] } = await ec2.launch({ MinCount: 2, MaxCount: 2 })
  const InstanceIds = Instances.map(({ InstanceId }) => InstanceId ?? '')
  expect(await refusalOf(ec2.client.send(new TerminateInstancesCommand({ InstanceIds })))).toEqual(exceeded)
  expect(ec2.simulator.control.instances().map(({ state }) => state)).toEqual(['pending', 'pending'])
})
