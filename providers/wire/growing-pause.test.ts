import { expect, it } from 'vitest'
import { growingPauseMs } from './growing-pause.ts'

it('doubles with each failure, up to the longest, however many there are', () => {
  const pauses = [1, 2, 3, 4, 5, 5_000].map((failures) => growingPauseMs(failures, { firstMs: 1_000, mostMs: 10_000 }))
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
})
