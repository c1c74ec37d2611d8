import fc from 'fast-check'
import type { CapacityType } from '../../../api/offering.ts'
import type { ChoiceFacts, RungOfferings } from '../../../api/rules/capacity/choice.ts'
import { offeringsOf, rungsOf, type FallbackEntry } from '../../../api/rules/capacity/rung.ts'
import { untried } from '../../../api/rules/capacity/tried.ts'

export const now = Date.UTC(2026, 0, 1, 12)
export const seconds = 1_000
export const minutes = 60 * seconds
export const restMs = 30 * seconds
export const own = { capacityType: 'Spot', instanceType: 'm5.large' } as const
const around = { zones: ['a', 'b'], failureDomain: undefined, inOrder: (zones: readonly string[]) => zones }

/** Its own type on spot first, and then each entry. */
export function rungs(...fallback: FallbackEntry[]): RungOfferings[] {
  return rungsOf(own, fallback).map((rung) => ({
    rung,
    offerings: offeringsOf(rung, { ...around, isSold: () => true }),
  }))
}

/** Of a machine that begins, with all open. */
export const facts = (more: Partial<ChoiceFacts>): ChoiceFacts => ({
  rungs: rungs(),
  walk: untried,
  memory: () => ({ is: 'open' }),
  since: now,
  now,
  restMs,
  ...more,
})

const types = ['m5.large', 'm5a.large', 'm6i.large']

/** Any entry of `fallback`. */
export const entries = fc.record(
  {
    capacityType: fc.constantFrom<CapacityType>('Spot', 'OnDemand'),
    instanceTypes: fc.subarray(types),
    zones: fc.subarray(['a', 'b', 'c']),
    after: fc.constantFrom('0s', '20s', '10m'),
  },
  { requiredKeys: [] },
)
