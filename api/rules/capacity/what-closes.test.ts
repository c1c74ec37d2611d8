import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Offering } from '../../offering.ts'
import { refusalKinds } from '../../refusal.ts'
import {
  groupsClosedBy,
  groupsHolding,
  holds,
  knownGroups,
  ownGroups,
  termsOfGroup,
  type Asked,
  type Refused,
} from './what-closes.ts'

const offering: Offering = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'a' }
const asked: Asked = {
  scope: 'aws/default/1/us-east-1',
  offering,
  maxPrice: 'default',
  constraints: '',
  quota: { name: 'standard', size: 2 },
}
const refused = (more: Partial<Refused>): Refused => ({ ...asked, kind: 'capacity', ...more })
const isHeld = (refusal: Partial<Refused>, by: Partial<Asked>) =>
  groupsClosedBy(refused(refusal)).some((group) => holds(group, { ...asked, ...by }))

describe('a lack of capacity', () => {
  test.each<[string, boolean, Partial<Asked>]>([
    ['the same offering', true, {}],
    ['the same at another price', true, { maxPrice: '0.05' }],
    ['another zone', false, { offering: { ...offering, zone: 'b' } }],
    ['another type', false, { offering: { ...offering, instanceType: 'm5a.large' } }],
    ['the other market', false, { offering: { ...offering, capacityType: 'OnDemand' } }],
    ['another account', false, { scope: 'aws/default/2/us-east-1' }],
    ['a placement group', false, { constraints: 'f00' }],
  ])('%s: %s', (_, expected, by) => expect(isHeld({}, by)).toBe(expected))

  it('under constraints holds only those with the same', () => {
    expect(isHeld({ constraints: 'f00' }, {})).toBe(false)
    expect(isHeld({ constraints: 'f00' }, { constraints: 'f00' })).toBe(true)
    expect(isHeld({ constraints: 'f00' }, { constraints: 'f001' })).toBe(false)
  })

  it('of hardware closes both markets there, and nothing that is reserved', () => {
    const onDemand = { offering: { ...offering, capacityType: 'OnDemand' as const } }
    const reserved = { offering: { ...offering, capacityType: 'Reserved' as const } }
    expect(isHeld({ reach: 'hardware' }, onDemand)).toBe(true)
    expect(isHeld({ reach: 'hardware', ...onDemand }, {})).toBe(true)
    expect(isHeld({ reach: 'hardware' }, reserved)).toBe(false)
    expect(isHeld({ reach: 'hardware', ...reserved }, {})).toBe(false)
    expect(isHeld({ reach: 'hardware' }, { offering: { ...offering, zone: 'b' } })).toBe(false)
  })
})

describe('what is not sold', () => {
  const unsold = { reach: 'unsold' } as const

  it('closes the offering for all, and for those with fallback besides', () => {
    const groups = groupsClosedBy(refused(unsold))
    const held = (by: Partial<Asked>) => groups.filter((group) => holds(group, { ...asked, ...by })).length
    expect([groups.length, held({}), held({ hasFallback: true })]).toEqual([2, 1, 2])
  })

  it('holds nothing else, for whomever', () => {
    const elsewhere = { offering: { ...offering, zone: 'b' }, hasFallback: true }
    const onDemand = { offering: { ...offering, capacityType: 'OnDemand' as const }, hasFallback: true }
    const inGroup = { constraints: 'f00', hasFallback: true }
    expect([elsewhere, onDemand, inGroup].map((by) => isHeld(unsold, by))).toEqual([false, false, false])
  })

  it('is asked for again after six hours, and every other group on the terms of its policy', () => {
    const terms = { initialMs: 1, maxMs: 2, minHealthyMs: 3, patienceMs: 4 }
    const hours = 3_600_000
    const [pool = '', longer = ''] = groupsClosedBy(refused(unsold))
    expect(termsOfGroup(pool, terms)).toBe(terms)
    expect(termsOfGroup(longer, terms)).toEqual({ ...terms, initialMs: 6 * hours, maxMs: 6 * hours })
  })
})

describe('a quota', () => {
  const larger: Partial<Asked> = { offering: { ...offering, instanceType: 'm6i.4xlarge', zone: 'b' } }

  it('closes its class from the refused size on, whatever type and zone', () => {
    const sizes = [1, 2, 16].map((size) => isHeld({ kind: 'quota' }, { ...larger, quota: { name: 'standard', size } }))
    expect(sizes).toEqual([false, true, true])
  })

  it('of one class holds no other: a quota of G leaves m5 open', () => {
    expect(isHeld({ kind: 'quota', quota: { name: 'g', size: 2 } }, {})).toBe(false)
    expect(isHeld({ kind: 'quota', quota: { name: 'standard-x', size: 1 } }, {})).toBe(false)
  })

  it('of one market holds no other', () => {
    expect(isHeld({ kind: 'quota' }, { offering: { ...offering, capacityType: 'OnDemand' } })).toBe(false)
  })
})

describe('a price', () => {
  it.each([
    ['0.10', '0.10', true],
    ['0.10', '0.1', true],
    ['0.10', '0.09', true],
    ['0.10', '0.11', false],
    ['0.10', 'default', false],
    ['default', 'default', true],
    ['default', '0.01', false],
  ])('refused at %s holds one that pays %s: %s', (at, pays, expected) => {
    expect(isHeld({ kind: 'price', maxPrice: at }, { maxPrice: pays })).toBe(expected)
  })

  it('holds only in its offering', () => {
    expect(isHeld({ kind: 'price' }, { offering: { ...offering, zone: 'aa' } })).toBe(false)
  })
})

it('only capacity, price and quota close a group, and each holds at least the same request', () => {
  const closing = refusalKinds.filter((kind) => groupsClosedBy(refused({ kind })).length > 0)
  expect(closing).toEqual(['capacity', 'price', 'quota'])
  for (const kind of closing) expect(isHeld({ kind }, {})).toBe(true)
})

const words = fc.constantFrom('a', 'b', 'g 2', 'default')
const asks = fc.record({
  scope: fc.constant('s'),
  offering: fc.record({
    capacityType: fc.constantFrom('Spot', 'OnDemand', 'Reserved'),
    instanceType: words,
    zone: fc.constantFrom('', 'a', 'b'),
  }),
  maxPrice: fc.constantFrom('default', '1', '2'),
  constraints: fc.constantFrom('', 'x', 'y'),
  quota: fc.record({ name: fc.constantFrom('g', 'standard'), size: fc.integer({ min: 0, max: 9 }) }),
  hasFallback: fc.boolean(),
})

it('a refusal always holds the same request, and in another market only if the hardware is out', () => {
  const kinds = fc.constantFrom('capacity', 'price', 'quota')
  const reaches = fc.constantFrom('offering', 'hardware', 'unsold')
  fc.assert(
    fc.property(asks, asks, kinds, reaches, (one, other, kind, reach) => {
      const groups = groupsClosedBy({ ...one, kind, reach })
      expect(groups.some((group) => holds(group, one))).toBe(true)
      const isOther = one.offering.capacityType !== other.offering.capacityType
      if (!isOther || !groups.some((group) => holds(group, other))) return
      expect([kind, reach, other.offering.instanceType]).toEqual(['capacity', 'hardware', one.offering.instanceType])
    }),
  )
})

it('the groups that hold a request are found by name among all that are known', () => {
  const refusals = fc.array(
    fc.tuple(asks, fc.constantFrom('capacity', 'price', 'quota'), fc.constantFrom('offering', 'hardware', 'unsold')),
  )
  fc.assert(
    fc.property(asks, refusals, (asked, all) => {
      const names = all.flatMap(([one, kind, reach]) => groupsClosedBy({ ...one, kind, reach }))
      const found = new Set(groupsHolding(asked, knownGroups(names)))
      expect(names.filter((name) => holds(name, asked) && !found.has(name))).toEqual([])
      const { offering: own, price, quota } = ownGroups(asked)
      const others = [...found].filter((name) => ![own, price, quota].includes(name))
      expect(others.filter((name) => !holds(name, asked) || !names.includes(name))).toEqual([])
    }),
  )
})
