import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import type { CapacityType } from '../../offering.ts'
import { leastOnDemand, marketFor } from './distribution.ts'

test.each([
  [{ onDemandBase: 2, onDemandPercentAboveBase: 20 }, [0, 1, 2, 3, 3, 3, 3, 3, 4, 4, 4]],
  [{ onDemandBase: 3 }, [0, 1, 2, 3, 3, 3]],
  [{ onDemandPercentAboveBase: 50 }, [0, 1, 1, 2, 2, 3]],
  [{ onDemandPercentAboveBase: 100 }, [0, 1, 2, 3]],
  [{}, [0, 0, 0]],
  [{ onDemandBase: -1, onDemandPercentAboveBase: 900 }, [0, 1, 2]],
  [{ onDemandBase: -1 }, [0, 0]],
  [{ onDemandBase: Number.NaN }, [0, 0]],
])('%j: so many of 0, 1, 2, … machines', (distribution, expected) => {
  expect(expected.map((_, machines) => leastOnDemand(machines, distribution))).toEqual(expected)
})

it('capacity that is reserved is not spot', () => {
  expect(marketFor(['Reserved'], { onDemandBase: 1 })).toBeUndefined()
  expect(marketFor(['Spot'], { onDemandBase: 1 })).toBe('OnDemand')
})

const distributions = fc.record(
  { onDemandBase: fc.integer({ min: 0, max: 12 }), onDemandPercentAboveBase: fc.integer({ min: 0, max: 100 }) },
  { requiredKeys: [] },
)

it('with each machine more it is the same or one more, never negative, and never more than there are', () => {
  fc.assert(
    fc.property(distributions, fc.integer({ min: 0, max: 2_000 }), (distribution, machines) => {
      const least = leastOnDemand(machines, distribution)
      expect(least).toBeGreaterThanOrEqual(0)
      expect(least).toBeLessThanOrEqual(machines)
      expect([0, 1]).toContain(leastOnDemand(machines + 1, distribution) - least)
    }),
  )
})

/** Lost machines are replaced until all are there again. In which order they decide is up to the race. */
const races = fc.record({
  distribution: distributions,
  machines: fc.integer({ min: 1, max: 40 }),
  lost: fc.array(fc.nat(), { maxLength: 80 }),
  arrivals: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 80 }),
})

function afterRace(
  { distribution, machines, lost, arrivals }: typeof races extends fc.Arbitrary<infer T> ? T : never,
  buy: (market: 'OnDemand' | undefined) => CapacityType,
): CapacityType[] {
  const living: CapacityType[] = []
  const arrive = (most: number) => {
    for (let n = 0; n < most && living.length < machines; n++) living.push(buy(marketFor(living, distribution)))
  }
  for (const [n, pick] of lost.entries()) {
    arrive(arrivals[n] ?? 1)
    if (living.length > 0) living.splice(pick % living.length, 1)
  }
  arrive(machines)
  return living
}

const isOnDemand = (market: CapacityType) => market === 'OnDemand'

it('is exact after any race, whatever was lost and replaced', () => {
  fc.assert(
    fc.property(races, (race) => {
      const living = afterRace(race, (market) => market ?? 'Spot')
      expect(living).toHaveLength(race.machines)
      expect(living.filter(isOnDemand)).toHaveLength(leastOnDemand(race.machines, race.distribution))
    }),
    { numRuns: 300 },
  )
})

it('is the least share where some fall from spot to on demand', () => {
  fc.assert(
    fc.property(races, fc.infiniteStream(fc.boolean()), (race, falls) => {
      const falling = falls[Symbol.iterator]()
      const buy = (market: 'OnDemand' | undefined) => market ?? (falling.next().value ? 'OnDemand' : 'Spot')
      const onDemand = afterRace(race, buy).filter(isOnDemand).length
      expect(onDemand).toBeGreaterThanOrEqual(leastOnDemand(race.machines, race.distribution))
    }),
  )
})
