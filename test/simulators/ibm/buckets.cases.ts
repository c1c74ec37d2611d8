import { expect, test } from 'vitest'
import { letIn as countLetIn } from '../suite/let-in.ts'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { Buckets } from './http/buckets.ts'
import { IbmError } from './http/errors.ts'

const isRefusal = (error: Error) => error instanceof IbmError && error.code === 'rate_limit_exceeded'
const letIn = (buckets: Buckets, count: number, action: string) =>
  countLetIn(count, () => buckets.admit(action), isRefusal)

test.each([
  ['create_instance', 20, 5],
  ['delete_instance', 50, 5],
  ['list_instances', 100, 20],
  ['get_instance', 100, 20],
])('the bucket of %s', async (action, burst, perSecond) => {
  const clock = new FakeClock()
  const buckets = new Buckets(clock, 'real')
  expect(letIn(buckets, burst + 10, action)).toBe(burst)
  await clock.advance(1000)
  expect(letIn(buckets, burst + 10, action)).toBe(perSecond)
})
