import { expect, it } from 'vitest'
import { selects, type LabelRequirement } from './label-selector.ts'

const labels = { pool: 'spot', zone: 'a' }

it.each<[LabelRequirement, boolean]>([
  [{ key: 'pool', operator: 'In', values: ['spot', 'x'] }, true],
  [{ key: 'pool', operator: 'In', values: ['x'] }, false],
  [{ key: 'none', operator: 'In', values: ['x'] }, false],
  [{ key: 'pool', operator: 'NotIn', values: ['x'] }, true],
  [{ key: 'pool', operator: 'NotIn', values: ['spot'] }, false],
  [{ key: 'none', operator: 'NotIn', values: ['x'] }, true],
  [{ key: 'pool', operator: 'Exists' }, true],
  [{ key: 'none', operator: 'Exists' }, false],
  [{ key: 'pool', operator: 'DoesNotExist' }, false],
  [{ key: 'none', operator: 'DoesNotExist' }, true],
])('%j: %s', (requirement, fulfilled) => {
  expect(selects({ matchExpressions: [requirement] }, labels)).toBe(fulfilled)
})

it('asks for all at once, and an empty one for nothing', () => {
  expect(selects({ matchLabels: { pool: 'spot', zone: 'b' } }, labels)).toBe(false)
  expect(
    selects({ matchLabels: { pool: 'spot' }, matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, labels),
  ).toBe(true)
  expect([selects(undefined, {}), selects({}, {})]).toEqual([true, true])
})
