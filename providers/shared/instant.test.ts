import { expect, it } from 'vitest'
import { launchedAt } from './instant.ts'

it('is the first of what is given that is a time', () => {
  const at = Date.UTC(2026, 0, 1)
  expect(launchedAt(undefined, 'never', {}, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual({ launchedAt: at })
  expect(launchedAt('2025-12-31T16:00:00.000-08:00')).toEqual({ launchedAt: at })
  expect(launchedAt(new Date(at))).toEqual({ launchedAt: at })
})

it.each([[undefined], [''], [0], ['soon'], [new Date(Number.NaN)], [null], [[]]])('%s is none', (time) => {
  expect(launchedAt(time)).toEqual({})
})
