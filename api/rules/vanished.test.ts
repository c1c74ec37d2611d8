import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unprovenAbsence } from './vanished.ts'

const hour = 60 * 60_000

it.each([
  [1, 1, false],
  [2, 6, false],
  [3, 6, true],
  [6, 6, true],
  [5, 100, false],
  [6, 100, true],
  [50, 1_000, false],
  [51, 1_000, true],
])('%d missing of %d: in doubt %s', (missing, known, isInDoubt) => {
  expect(unprovenAbsence({ missing, known, missingForMs: 0 }) !== undefined).toBe(isInDoubt)
})

it('after an hour nothing is in doubt any more', () => {
  expect(unprovenAbsence({ missing: 6, known: 6, missingForMs: hour - 1 })).toContain('6 of 6')
  expect(unprovenAbsence({ missing: 6, known: 6, missingForMs: hour })).toBeUndefined()
})

it('more that are missing are never less in doubt', () => {
  const counts = fc.record({ known: fc.nat(5_000), missing: fc.nat(5_000), missingForMs: fc.nat(2 * hour) })
  fc.assert(
    fc.property(counts, (facts) => {
      const isInDoubt = unprovenAbsence(facts) !== undefined
      const isMoreInDoubt = unprovenAbsence({ ...facts, missing: facts.missing + 1 }) !== undefined
      expect(isMoreInDoubt || !isInDoubt).toBe(true)
    }),
  )
})
