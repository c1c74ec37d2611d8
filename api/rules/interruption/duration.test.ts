import { expect, it } from 'vitest'
import { durationMs } from './duration.ts'

it.each([
  ['90s', 90_000],
  ['2m', 120_000],
  ['1h', 3_600_000],
])('%s is a duration', (text, ms) => {
  expect(durationMs(text)).toBe(ms)
})

it.each(['', '0s', '2', 'm', '2 m', '2m30s', '-1m', '1.5m', '61m', '2h', '99999s', '1e3s'])('%j is none', (text) => {
  expect(durationMs(text)).toBeUndefined()
})
