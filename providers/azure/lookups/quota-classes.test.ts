import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { quotaClassOf } from './quota-classes.ts'

const classOf = (instanceType: string) => {
  const { name, size } = quotaClassOf({ instanceType, capacityType: 'OnDemand', zone: '1' })
  return `${name} ${size}`
}

test.each([
  ['Standard_D2s_v5', 'ds_v5 2'],
  ['Standard_D48s_v5', 'ds_v5 48'],
  ['Standard_D2as_v5', 'das_v5 2'],
  ['Standard_E32-8s_v3', 'es_v3 32'],
  ['Standard_NC4as_T4_v3', 'ncas_t4_v3 4'],
  ['Standard_NC64as_T4_v3', 'ncas_t4_v3 64'],
  ['Standard_ND96isr_MI300X_v5', 'ndisr_mi300x_v5 96'],
  ['Standard_DS2_v2', 'ds_v2 2'],
  ['Standard_DS11_v2', 'ds_v2 2'],
  ['Standard_D14', 'd 16'],
  ['Standard_D2_v2_Promo', 'd_v2_promo 2'],
  ['Standard_D16_v3', 'd_v3 16'],
  ['Basic_A1', 'a 1'],
  ['STANDARD_D2S_V5', 'ds_v5 2'],
  ['huge', 'huge 1'],
])('%s counts as %s', (size, expected) => expect(classOf(size)).toBe(expected))

it('all spot machines of a region share one quota', () => {
  const spot = (instanceType: string) => quotaClassOf({ instanceType, capacityType: 'Spot', zone: '' })
  expect(spot('Standard_NC4as_T4_v3')).toEqual({ name: 'lowPriorityCores', size: 4 })
  expect(spot('Standard_D2s_v5')).toEqual({ name: 'lowPriorityCores', size: 2 })
})

it('any text has a class and a size', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('', 'constructor', 'Standard_D0')), (instanceType) => {
      const { name, size } = quotaClassOf({ instanceType, capacityType: 'OnDemand', zone: '' })
      expect([typeof name, Number.isFinite(size), size >= 0]).toEqual(['string', true, true])
    }),
  )
})
