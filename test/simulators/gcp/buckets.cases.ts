import { expect, test } from 'vitest'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { bucketOf, Buckets, type BucketName } from './buckets.ts'
import { GceError } from './errors.ts'
import { instancesPath, refusalOf, startGce, type GceFixture } from './fixture.ts'

/** How many of so many calls at one time are let in. */
function letIn(buckets: Buckets, count: number, action: string): number {
  return Array.from({ length: count }).filter(() => isLetIn(() => buckets.admit(action))).length
}

function isLetIn(call: () => void): boolean {
  try {
    call()
    return true
  } catch (error) {
    if (error instanceof GceError && error.code === 'rateLimitExceeded') return false
    throw error
  }
}

test.each<[string, BucketName]>([
  ['instances.insert', 'queries'],
  ['instances.delete', 'queries'],
  ['instances.get', 'reads'],
  ['images.getFromFamily', 'reads'],
  ['instances.list', 'lists'],
  ['instances.aggregatedList', 'lists'],
  ['globalOperations.aggregatedList', 'lists'],
  ['zoneOperations.list', 'lists'],
  ['zoneOperations.get', 'operationReads'],
  ['zoneOperations.wait', 'operationReads'],
])('%s counts among the %s', (action, name) => {
  expect(bucketOf(action)).toBe(name)
})

test.each(['instances.insert', 'instances.get', 'instances.list', 'zoneOperations.get'])(
  '%s: 1500 in a minute, then none until the minute is over, then 1500 again',
  async (action) => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1, 10, 0, 15))
    const buckets = new Buckets(clock, '1', 'real')
    expect(letIn(buckets, 1600, action)).toBe(1500)
    await clock.advance(44_999)
    expect(letIn(buckets, 10, action)).toBe(0)
    // The windows are those of the clock on the wall: 10:01:00, not a minute after the first call.
    await clock.advance(1)
    expect(letIn(buckets, 1600, action)).toBe(1500)
  },
)

test('lists with a filter are counted by what they have to look at', async () => {
  await using gce = await startGce({ buckets: { filteredResources: 5 } })
  for (const name of ['a', 'b', 'c']) await gce.inserted({ name })
  const list = (query: Record<string, string>) => gce.call('GET', 'aggregated/instances', { query })
  expect((await list({ filter: 'name=a' })).status).toBe(200)
  expect((await list({ filter: 'name=a' })).status).toBe(403)
  expect((await list({})).status).toBe(200)
})

/** How many of so many inserts at once are accepted. */
async function insertMany(gce: GceFixture, count: number, prefix: string): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => gce.insert({ name: `${prefix}${at}` })))
  return answers.filter(({ status }) => status === 200).length
}

test('calls that come too often are refused with 403, recorded and not done; other calls are not hurt', async () => {
  await using gce = await startGce({ buckets: { queries: 5, lists: 5 } })
  expect(await insertMany(gce, 8, 'w')).toBe(5)
  expect(await refusalOf(gce.insert())).toEqual({
    code: 'rateLimitExceeded',
    status: 403,
    message:
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'compute.googleapis.com' for " +
      "consumer 'project_number:123456789012'.",
  })
  await gce.done('GET', instancesPath)
  expect(gce.simulator.control.instances()).toHaveLength(5)
  expect(gce.simulator.control.counts().actions['instances.insert']).toEqual({
    calls: 9,
    lost: 0,
    codes: { OK: 5, rateLimitExceeded: 4 },
  })
  await gce.clock.advance(60_000)
  await gce.inserted()
})

test('who is not let in takes nothing from the project', async () => {
  await using gce = await startGce({ buckets: { lists: 1 } })
  expect((await gce.call('GET', instancesPath, { headers: {} })).status).toBe(401)
  await gce.done('GET', instancesPath)
})

test('rate quotas can be switched on, widened and switched off while it runs', async () => {
  await using gce = await startGce({ buckets: 'real' })
  await gce.done('GET', instancesPath)
  expect((await gce.control('buckets')).json).toEqual({ lists: 1499 })
  await gce.control('buckets', { table: 'real', scale: 0.002 })
  expect(await insertMany(gce, 5, 'a')).toBe(3)
  await gce.control('buckets', { table: 'none' })
  expect(await insertMany(gce, 5, 'b')).toBe(5)
  expect((await gce.control('buckets')).json).toEqual({})
})
