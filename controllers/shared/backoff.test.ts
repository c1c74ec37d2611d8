import { expect, it } from 'vitest'
import { Backoff } from './backoff.ts'

const steadily = () => new Backoff(() => 0)

it('a refusal after many answers that were no refusal is a first one', () => {
  const backoff = steadily()
  for (let times = 0; times < 30; times++) backoff.unfinished('a', { nowMs: 0, atMostMs: 5_000 })
  expect(backoff.rest('a', 0)).toBe(5_000)
  expect(backoff.refused('a', { nowMs: 0 })).toBeLessThanOrEqual(10_000)
})

it('what is not done is asked for after pauses that grow up to a bound, what is refused after ever longer ones', () => {
  const backoff = steadily()
  const unfinished = Array.from({ length: 5 }, () => {
    backoff.unfinished('a', { nowMs: 0, atMostMs: 5_000 })
    return backoff.rest('a', 0)
  })
  expect(unfinished).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
  expect(Array.from({ length: 4 }, () => backoff.refused('b', { nowMs: 0 }))).toEqual([1_000, 2_000, 4_000, 8_000])
  backoff.clear('b')
  expect(backoff.rest('b', 0)).toBe(0)
})

it('of a question that is asked anew with each change of an object only the last is kept', () => {
  const backoff = steadily()
  for (let generation = 0; generation < 1_000; generation++) {
    backoff.refused(`ns/m1 look up ${generation}`, { nowMs: 0, insteadOf: 'ns/m1 look up' })
  }
  backoff.refused('ns/m1 look up 999', { nowMs: 0, insteadOf: 'ns/m1 look up' })
  expect(backoff.rest('ns/m1 look up 999', 0)).toBe(2_000)
  expect(backoff.size).toBe(1)
})

it('of a machine that is gone nothing is kept, and of others all', () => {
  const backoff = steadily()
  for (const key of ['ns/m1', 'ns/m1 end', 'ns/m1 look up 1 2', 'ns/m10']) backoff.refused(key, { nowMs: 0 })
  backoff.forget('ns/m1')
  const resting = ['ns/m1', 'ns/m1 end', 'ns/m1 look up 1 2', 'ns/m10'].filter((key) => backoff.rest(key, 0) > 0)
  expect(resting).toEqual(['ns/m10'])
})
