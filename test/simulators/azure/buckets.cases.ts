import { expect, test } from 'vitest'
import { letIn as countLetIn } from '../suite/let-in.ts'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { Buckets, realBuckets, type BucketName } from './http/buckets.ts'
import { ArmError } from './http/errors.ts'
import { all, refusalOf, startAzure } from './fixture.ts'

const isRefusal = (error: Error) => error instanceof ArmError && error.status === 429
const letIn = (buckets: Buckets, count: number, [method, ...names]: readonly [string, ...BucketName[]], about = 'm1') =>
  countLetIn(count, () => buckets.admit(method, names, about), isRefusal)

test.each<[string, [string, ...BucketName[]], { burst: number; perMinute: number }]>([
  ['reads', ['GET'], { burst: 250, perMinute: 250 }],
  ['writes', ['PUT'], { burst: 200, perMinute: 200 }],
  ['deletes', ['DELETE'], { burst: 200, perMinute: 200 }],
  ['creations of one machine', ['PUT', 'PutVMSubscription', 'PutVMMachine'], { burst: 12, perMinute: 4 }],
  ['deletions of one machine', ['DELETE', 'DeleteVMSubscription', 'DeleteVMMachine'], { burst: 12, perMinute: 4 }],
  ['looks at one machine', ['GET', 'LowCostGetVMSubscription', 'LowCostGetVMMachine'], { burst: 36, perMinute: 12 }],
  ['looks at one operation', ['GET', 'GetOperationSubscription', 'GetOperationMachine'], { burst: 45, perMinute: 15 }],
])("Azure's buckets for %s", async (_, call, { burst, perMinute }) => {
  const clock = new FakeClock()
  const buckets = new Buckets(clock, 'real')
  expect(letIn(buckets, burst + 10, call)).toBe(burst)
  await clock.advance(60_000)
  expect(letIn(buckets, burst + 10, call)).toBe(perMinute)
})

test.each<[BucketName, number, number]>([
  ['HighCostGetVMSubscription', 900, 300],
  ['PutVMSubscription', 1500, 500],
  ['DeleteVMSubscription', 1500, 500],
  ['NetworkWrites', 1000, 200],
  ['NetworkReads', 10_000, 2000],
])('behind the front door: %s', async (name, burst, perMinute) => {
  const clock = new FakeClock()
  const buckets = new Buckets(clock, { [name]: realBuckets[name] })
  const first = letIn(buckets, burst + 10, ['GET', name])
  await clock.advance(60_000)
  const later = letIn(buckets, burst + 10, ['GET', name])
  expect([first, later]).toEqual([burst, perMinute])
})

test('one machine uses up its own bucket and nobody else his', async () => {
  const buckets = new Buckets(new FakeClock(), 'real')
  const put = ['PUT', 'PutVMSubscription', 'PutVMMachine'] as const
  expect([letIn(buckets, 20, put, 'm1'), letIn(buckets, 20, put, 'm2')]).toEqual([12, 12])
})

test('too many lists: when to come again, and which bucket it is', async () => {
  await using azure = await startAzure({ buckets: { HighCostGetVMSubscription: { most: 2, perSecond: 0.1 } } })
  const path = `/subscriptions/${azure.simulator.facts.subscription}/providers/Microsoft.Compute/virtualMachines`
  const answers = []
  for (let call = 0; call < 3; call++) answers.push(await azure.raw('GET', `${path}?statusOnly=true`))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  const refused = answers[2]
  expect(refused?.headers.get('retry-after')).toBe('10')
  expect(refused?.headers.get('x-ms-ratelimit-remaining-resource')).toBe('Microsoft.Compute/HighCostGetVM3Min;0')
  expect(refused?.json).toMatchObject({
    error: { code: 'OperationNotAllowed', details: [{ code: 'TooManyRequests', target: 'HighCostGetVM3Min' }] },
  })
  await azure.clock.advance(10_000)
  expect((await azure.raw('GET', path)).status).toBe(200)
})

test('who is let in is told what is left: of the region or of the machine, whichever is less', async () => {
  await using azure = await startAzure({ buckets: 'real' })
  await azure.launch('m1')
  const { subscription, resourceGroup } = azure.simulator.facts
  const one = `/subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/virtualMachines/m1`
  // The launch has looked once.
  const { headers } = await azure.raw('GET', one)
  expect(headers.get('x-ms-ratelimit-remaining-subscription-reads')).toBe('248')
  expect(headers.get('x-ms-ratelimit-remaining-resource')).toBe('Microsoft.Compute/LowCostGetVM3Min;34')
  await azure.control('buckets', { table: 'none' })
  const without = await azure.raw('GET', one)
  expect([...without.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
})

test('the front door and the network have their own words', async () => {
  await using azure = await startAzure({ buckets: { reads: { most: 1, perSecond: 1 } } })
  await all(azure.compute.virtualMachines.listAll())
  const list = () => all(azure.compute.virtualMachines.listAll())
  expect(await refusalOf(list())).toMatchObject({ status: 429, code: 'SubscriptionRequestsThrottled' })
  azure.simulator.control.buckets({ NetworkWrites: { most: 1, perSecond: 1 } })
  await azure.makeInterface('n1')
  expect(await refusalOf(azure.makeInterface('n2'))).toMatchObject({
    status: 429,
    code: 'RetryableErrorDueToTooManyCalls',
  })
})
