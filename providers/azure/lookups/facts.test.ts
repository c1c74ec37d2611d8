import { expect, it } from 'vitest'
import { typeFacts } from './facts.ts'

const zoned = { name: 'Standard_D2s_v5', locationInfo: [{ zones: ['1', '2', '3'] }] }
const capabilities = [{ name: 'LowPriorityCapable', value: 'False' }]

it('a size is sold where Azure lists it, unless the subscription is restricted there', () => {
  expect(typeFacts(zoned)).toMatchObject({ zones: ['1', '2', '3'], isSold: true })
  expect(
    typeFacts({ ...zoned, restrictions: [{ type: 'Zone', restrictionInfo: { zones: ['1', '3'] } }] }),
  ).toMatchObject({
    zones: ['2'],
    isSold: true,
  })
  expect(typeFacts({ ...zoned, restrictions: [{ type: 'Location' }] })).toMatchObject({ zones: [], isSold: false })
})

it('a size that says nothing of spot is left to Azure’s refusal', () => {
  expect([typeFacts(zoned).hasSpot, typeFacts({ ...zoned, capabilities }).hasSpot]).toEqual([true, false])
})

it('a location without zones is no obstacle', () => {
  expect(typeFacts({ name: 'Standard_D2s_v5', locationInfo: [{ zones: null }], restrictions: null })).toMatchObject({
    zones: [],
    isSold: true,
  })
})
