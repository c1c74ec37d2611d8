import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { quotaClassOf } from './quota-classes.ts'

test.each([
  ['bxf-2x8', 'standard 2'],
  ['bx3d-48x240', 'standard 48'],
  ['gx3-16x80x1l4', 'gpu 1'],
  ['gx3d-160x1792x8h100', 'gpu 8'],
  ['odd', 'standard 1'],
])('%s on demand counts as %s', (instanceType, expected) => {
  const { name, size } = quotaClassOf({ instanceType, capacityType: 'OnDemand', zone: 'us-south-1' })
  expect(`${name} ${size}`).toBe(expected)
})

it('spot instances count by the piece, with GPUs and without', () => {
  const spot = ['bxf-2x8', 'bxf-8x32', 'gx3-16x80x1l4'].map((instanceType) =>
    quotaClassOf({ instanceType, capacityType: 'Spot', zone: 'us-south-1' }),
  )
  expect(spot).toEqual(Array.from({ length: 3 }, () => ({ name: 'spot', size: 1 })))
})

it('any text has a class and a size', () => {
  fc.assert(
    fc.property(fc.string(), (instanceType) => {
      const { size } = quotaClassOf({ instanceType, capacityType: 'OnDemand', zone: '' })
      expect([Number.isFinite(size), size >= 0]).toEqual([true, true])
    }),
  )
})
