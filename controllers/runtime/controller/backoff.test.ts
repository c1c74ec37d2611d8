import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

const bounds = fc.record({
  initialMs: fc.integer({ min: 1, max: 10_000 }),
  maxMs: fc.integer({ min: 10_000, max: 1e7 }),
})
const failures = fc.integer({ min: 1, max: 5_000 })
const none = () => 0

it('never waits less than the time before, without jitter', () => {
  fc.assert(
    fc.property(bounds, failures, (bounds, failures) => {
      const now = backoffMs({ failures, ...bounds, jitter: none })
      expect(backoffMs({ failures: failures + 1, ...bounds, jitter: none })).toBeGreaterThanOrEqual(now)
    }),
  )
})

it('begins with the initial wait and stays between half of it and the maximum', () => {
  fc.assert(
    fc.property(
      bounds,
      failures,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (bounds, failures, j) => {
        const wait = backoffMs({ failures, ...bounds, jitter: () => j })
        expect(wait).toBeGreaterThanOrEqual(bounds.initialMs / 2)
        expect(wait).toBeLessThanOrEqual(bounds.maxMs)
        expect(backoffMs({ failures: 1, ...bounds, jitter: none })).toBe(bounds.initialMs)
      },
    ),
  )
})

it('doubles until it meets the maximum', () => {
  const waits = [1, 2, 3, 4, 5].map((failures) => backoffMs({ failures, initialMs: 200, maxMs: 1_000, jitter: none }))
  expect(waits).toEqual([200, 400, 800, 1_000, 1_000])
})
