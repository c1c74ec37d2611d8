import { expect, it } from 'vitest'
import { chosenOf, offeringOf, siteOf, type Chosen } from './chosen.ts'
import { offeringKey } from '../../offering.ts'

const choice: Chosen = {
  rung: 2,
  capacityType: 'OnDemand',
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  subnet: 'subnet-1',
  constraints: 'digest',
}
const at = { subnet: 'subnet-1', zone: 'us-east-1a' }
const offering = offeringKey(choice)

it('an attempt of an older version asks for the spec itself', () => {
  const { constraints: _, ...plain } = choice
  expect(chosenOf({ at, offering })).toEqual({ ...plain, rung: 0 })
  expect(chosenOf({ at })).toBeUndefined()
  expect(chosenOf({ offering })).toBeUndefined()
  expect(chosenOf({ at, offering: 'garbage' })).toBeUndefined()
})

it('what was chosen counts where the older fields say the same, or are gone', () => {
  expect([chosenOf({ choice, at, offering }), chosenOf({ choice }), chosenOf({ choice, at })]).toEqual([
    choice,
    choice,
    choice,
  ])
  expect([siteOf({ choice }), siteOf({ choice, at }), siteOf({})]).toEqual([at, at, undefined])
  expect(offeringOf({ choice })).toEqual({ capacityType: 'OnDemand', instanceType: 'm5.large', zone: 'us-east-1a' })
})

it('an older manager that went on in another subnet kept the choice of before: its own fields count', () => {
  const later = { subnet: 'subnet-2', zone: 'us-east-1b' }
  const next = offeringKey({ ...choice, zone: 'us-east-1b' })
  const { constraints: _, ...plain } = choice
  expect(chosenOf({ choice, at: later, offering: next })).toEqual({ ...plain, ...later, rung: 0 })
  expect(siteOf({ choice, at: later })).toEqual(later)
  expect(offeringOf({ choice, offering: next })).toMatchObject({ zone: 'us-east-1b' })
})
