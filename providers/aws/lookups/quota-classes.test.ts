import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import type { CapacityType } from '../../../api/offering.ts'
import { quotaClassOf } from './quota-classes.ts'

const classOf = (instanceType: string, capacityType: CapacityType = 'OnDemand') => {
  const { name, size } = quotaClassOf({ instanceType, capacityType, zone: 'us-east-1a' })
  return `${name} ${size}`
}

test.each([
  ['m5.large', 'standard 2'],
  ['m7i-flex.xlarge', 'standard 4'],
  ['c6gd.16xlarge', 'standard 64'],
  ['r5.metal', 'standard 10000'],
  ['r7i.metal-48xl', 'standard 192'],
  ['t2.small', 'standard 1'],
  ['t4g.nano', 'standard 2'],
  ['m6g.medium', 'standard 1'],
  ['im4gn.large', 'standard 2'],
  ['is4gen.large', 'standard 2'],
  ['z1d.large', 'standard 2'],
  ['g4dn.xlarge', 'g 4'],
  ['gr6.4xlarge', 'g 16'],
  ['vt1.3xlarge', 'g 12'],
  ['p3.2xlarge', 'p 8'],
  ['p5.48xlarge', 'p 192'],
  ['x2idn.16xlarge', 'x 64'],
  ['f1.2xlarge', 'f 8'],
  ['inf2.xlarge', 'inf 4'],
  ['trn1.2xlarge', 'trn 8'],
  ['dl1.24xlarge', 'dl 96'],
  ['u-3tb1.56xlarge', 'high-memory 224'],
  ['mac2-m2.metal', 'mac 10000'],
  ['q9.large', 'q 2'],
])('%s counts as %s', (type, expected) => expect(classOf(type)).toBe(expected))

it('from p5 on each generation of P has its own spot quota', () => {
  const types = ['p3.2xlarge', 'p4d.24xlarge', 'p5e.48xlarge', 'p6-b200.48xlarge']
  expect(types.map((type) => classOf(type, 'Spot'))).toEqual(['p 8', 'p 96', 'p5 192', 'p6 192'])
})

it('any text has a class and a size', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('', '.', 'constructor', 'm5.constructor', '5.large')), (type) => {
      const { name, size } = quotaClassOf({ instanceType: type, capacityType: 'Spot', zone: '' })
      expect([typeof name, Number.isFinite(size), size > 0]).toEqual(['string', true, true])
    }),
  )
})
