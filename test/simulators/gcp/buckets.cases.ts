import { expect, test } from 'vitest'
import { letIn as countLetIn } from '../suite/let-in.ts'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { bucketOf, Buckets, type BucketName } from './http/buckets.ts'
import { GceError } from './http/errors.ts'
import { refusalOf, startGce } from './fixture.ts'

const isRefusal = (error: Error) => error instanceof GceError && error.code === 'rateLimitExceeded'
const letIn = (buckets: Buckets, count: number, action: string) =>
  countLetIn(count, () => buckets.admit(action), isRefusal)

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

test('a call that comes too often is told which quota it exceeded', async () => {
  await using gce = await startGce({ buckets: { queries: 1 } })
  await gce.inserted()
  expect(await refusalOf(gce.insert({ name: 'other' }))).toEqual({
    code: 'rateLimitExceeded',
    status: 403,
    message:
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'compute.googleapis.com' for " +
      "consumer 'project_number:123456789012'.",
  })
})
