import { expect, it } from 'vitest'
import type { offeringKey } from '../../offering.ts'
import { type Offering } from '../../offering.ts'
import { fellBackMessage } from './fell-back.ts'
import { afterTry, untried, type Walk } from './tried.ts'

const spot: Offering = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' }
const bought: Offering = { ...spot, capacityType: 'OnDemand' }
const code = 'InsufficientInstanceCapacity'

function refused(...offerings: Offering[]): Walk {
  const after = (walk: Walk, offering: Offering) => afterTry(walk, { offering, rung: 0, kind: 'capacity', code }, 0)
  return offerings.reduce(after, untried)
}

it('says what was bought, and what was refused', () => {
  expect(fellBackMessage('i-1', bought, refused(spot))).toBe(
    'Instance i-1 is m5.large on demand in us-east-1a, after a refusal. It was InsufficientInstanceCapacity of m5.large spot in us-east-1a.',
  )
})

it('of many refusals names the number and the last', () => {
  const walk = refused(...Array.from({ length: 20 }, () => spot), { ...spot, instanceType: 'm5a.large' })
  expect(fellBackMessage('i-1', bought, walk)).toBe(
    'Instance i-1 is m5.large on demand in us-east-1a, after 21 refusals. The last was InsufficientInstanceCapacity of m5a.large spot in us-east-1a.',
  )
})

it('says nothing of a machine that was refused nothing', () => {
  expect(fellBackMessage('i-1', bought, untried)).toBeUndefined()
})

it('stands a text of a tenant in place of an offering', () => {
  const tried = [
    { offering: 'nonsense' as ReturnType<typeof offeringKey>, rung: 0, kind: 'capacity', code, at: '' },
  ] as const
  expect(fellBackMessage('i-1', bought, { tried, triedCount: 1 })).toBe(
    'Instance i-1 is m5.large on demand in us-east-1a, after a refusal. It was InsufficientInstanceCapacity.',
  )
})
