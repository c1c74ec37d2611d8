import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { quotaClassOf } from './quota-classes.ts'

const spec = { instanceType: 'n1-standard-4' }
const classOf = (instanceType: string) => {
  const { name, size } = quotaClassOf({ instanceType, capacityType: 'Spot', zone: 'us-central1-a' }, spec)
  return `${name} ${size}`
}

test.each([
  ['e2-standard-4', 'cpus 4'],
  ['e2-medium', 'cpus 1'],
  ['n1-highmem-16', 'cpus 16'],
  ['custom-4-8192', 'cpus 4'],
  ['n2-standard-4', 'n2 4'],
  ['n2-custom-6-8192-ext', 'n2 6'],
  ['c3-standard-8-lssd', 'c3 8'],
  ['a2-highgpu-4g', 'a2-highgpu 4'],
  ['a2-ultragpu-1g', 'a2-ultragpu 1'],
  ['g2-standard-4', 'g2-standard 1'],
  ['g2-standard-32', 'g2-standard 1'],
  ['g2-standard-24', 'g2-standard 2'],
  ['g2-standard-96', 'g2-standard 8'],
  ['g4-standard-96', 'g4-standard 2'],
  ['ct5lp-hightpu-8t', 'ct5lp-hightpu 8'],
  ['n4', 'n4 1'],
])('%s counts as %s', (type, expected) => expect(classOf(type)).toBe(expected))

it('added accelerators are what is scarce', () => {
  const guestAccelerators = [{ type: 'projects/p/zones/z/acceleratorTypes/nvidia-tesla-t4', count: 2 }]
  const offering = { instanceType: 'n1-standard-4', capacityType: 'Spot', zone: '' } as const
  expect(quotaClassOf(offering, { ...spec, guestAccelerators })).toEqual({ name: 'nvidia-tesla-t4', size: 2 })
})

it('any text has a class and a size', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('', '-', 'constructor', 'g2-standard-constructor')), (type) => {
      const { name, size } = quotaClassOf({ instanceType: type, capacityType: 'Spot', zone: '' }, spec)
      expect([typeof name, Number.isFinite(size), size >= 0]).toEqual(['string', true, true])
    }),
  )
})
