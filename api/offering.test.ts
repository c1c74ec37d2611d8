import fc from 'fast-check'
import { expect, it } from 'vitest'
import { offeringInWords, offeringKey, parseOfferingKey, type CapacityType } from './offering.ts'

const capacityTypes: readonly CapacityType[] = ['Spot', 'OnDemand', 'Reserved']
const name = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,30}$/)

it('a key leads back to its offering, with a zone or without', () => {
  const offerings = fc.record({
    capacityType: fc.constantFrom(...capacityTypes),
    instanceType: name,
    zone: fc.oneof(name, fc.constant('')),
  })
  fc.assert(
    fc.property(offerings, (offering) => {
      expect(parseOfferingKey(offeringKey(offering))).toEqual(offering)
    }),
  )
})

it.each([
  '',
  'Spot',
  'Spot:m5.large',
  'Spot::us-east-1a',
  'spot:m5.large:a',
  'toString:m5.large:a',
  'Spot:m5.large:a:b',
])('%j is the key of no offering', (text) => expect(parseOfferingKey(text)).toBeUndefined())

it('the words name the zone where there is one', () => {
  const offering = { capacityType: 'OnDemand', instanceType: 'Standard_D2s_v5' } as const
  expect(offeringInWords({ ...offering, zone: '' })).toBe('Standard_D2s_v5 on demand')
  expect(offeringInWords({ ...offering, zone: '1' })).toBe('Standard_D2s_v5 on demand in 1')
})
