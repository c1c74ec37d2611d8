import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { offeringKey } from '../../offering.ts'
import { durationMs, obstacleTo, offeringsOf, rungsOf, type Around, type FallbackEntry } from './rung.ts'

const own = { capacityType: 'Spot', instanceType: 'm5.large' } as const
const around: Around = {
  zones: ['a', 'b', 'c'],
  failureDomain: undefined,
  inOrder: (zones) => zones.toSorted().toReversed(),
  isSold: () => true,
}

function listed(fallback: readonly FallbackEntry[], more: Partial<Around> = {}): string[][] {
  return rungsOf(own, fallback).map((rung) => offeringsOf(rung, { ...around, ...more }).map(offeringKey))
}

it('the spec itself is rung 0, in all its zones', () => {
  expect(rungsOf(own)).toHaveLength(1)
  expect(listed([])).toEqual([['Spot:m5.large:c', 'Spot:m5.large:b', 'Spot:m5.large:a']])
})

it('a rung takes market, type and zones of the spec where it names none', () => {
  const [spec] = listed([])
  expect(listed([{}, { capacityType: 'OnDemand', after: '10m' }])).toEqual([
    spec,
    spec,
    ['OnDemand:m5.large:c', 'OnDemand:m5.large:b', 'OnDemand:m5.large:a'],
  ])
})

it('types come in their order, and each in the zones in the order of the machine', () => {
  const [, rung] = listed([{ instanceTypes: ['m5a.large', 'm5.large', 'm5a.large'], zones: ['a', 'b', 'a'] }])
  expect(rung).toEqual(['Spot:m5a.large:b', 'Spot:m5a.large:a', 'Spot:m5.large:b', 'Spot:m5.large:a'])
})

it('a zone that does not sell a type is left out, unless none sells it', () => {
  const isSold: Around['isSold'] = ({ instanceType, zone }) => instanceType === 'm5.large' && zone === 'a'
  const [, rung] = listed([{ instanceTypes: ['m5.large', 'new.large'], zones: ['a', 'b'] }], { isSold })
  expect(rung).toEqual(['Spot:m5.large:a', 'Spot:new.large:b', 'Spot:new.large:a'])
})

it('regional is a zone of its own', () => {
  const [, rung] = listed([{ zones: ['1', 'regional'] }], { zones: [''] })
  expect(rung).toEqual(['Spot:m5.large:1', 'Spot:m5.large:'])
})

const names = fc.subarray(['a', 'b', 'c', 'd'])
const entries = fc.array(
  fc.record(
    {
      capacityType: fc.constantFrom('Spot', 'OnDemand'),
      instanceTypes: fc.subarray(['m5.large', 'm5a.large', 'm6i.large']),
      zones: names,
      after: fc.constantFrom('10m', '1h', 'soon', ''),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 8 },
)

it('the failure domain of the Machine bounds every rung', () => {
  fc.assert(
    fc.property(entries, fc.constantFrom('a', 'b', 'c', 'd'), names, (fallback, failureDomain, zones) => {
      for (const rung of rungsOf(own, fallback)) {
        const offered = offeringsOf(rung, { ...around, zones, failureDomain })
        expect(offered.every(({ zone }) => zone === failureDomain)).toBe(true)
        expect(offered.length === 0 || (rung.zones ?? [failureDomain]).includes(failureDomain)).toBe(true)
      }
    }),
  )
})

it('a rung without an offering says which field is wrong, and no other rung says anything', () => {
  fc.assert(
    fc.property(entries, fc.option(fc.constantFrom('a', 'd'), { nil: undefined }), (fallback, failureDomain) => {
      const here = { ...around, failureDomain }
      for (const rung of rungsOf(own, fallback)) {
        const why = obstacleTo(rung, here)
        const works = offeringsOf(rung, here).length > 0
        expect(why === undefined).toBe(works)
        expect(works || why?.includes(`spec.fallback[${rung.index - 1}]`)).toBe(true)
      }
    }),
  )
})

it('a cluster without zones is the cause where a rung names none', () => {
  const [rung] = rungsOf(own)
  expect(obstacleTo(rung, { zones: [], failureDomain: undefined })).toContain('infrastructure cluster')
})

describe('a duration', () => {
  test.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['0s', 0],
  ])('%s', (text, ms) => expect(durationMs(text)).toBe(ms))

  test.each(['', '10', 'm', '10 m', '-1m', '1m1h', '1.5h', '1e9h', '10min'])('%j is none', (text) =>
    expect(durationMs(text)).toBeUndefined(),
  )
})
