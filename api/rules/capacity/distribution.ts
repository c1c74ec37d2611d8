import type { CapacityType } from '../../offering.ts'

/** The least share of the machines of one MachineSet that is not spot. */
export interface Distribution {
  /** So many come first. Left out: 0. */
  readonly onDemandBase?: number
  /** Of all above the base, rounded up. Left out: 0. */
  readonly onDemandPercentAboveBase?: number
}

/** How many of so many machines are at least on demand. With one machine more it is the same, or one more. */
export function leastOnDemand(machines: number, distribution: Distribution): number {
  const total = count(machines)
  const base = Math.min(total, count(distribution.onDemandBase))
  const percent = Math.min(100, count(distribution.onDemandPercentAboveBase))
  return base + Math.ceil(((total - base) * percent) / 100)
}

/**
 * The market that one more machine has to use. Undefined: any. `siblings` are the markets of the other living machines:
 * what they have, what they are asking for, or what they wait for. Whoever decides counts as a sibling at once, before
 * another decides. Then the share is exact whenever all are there, whatever was lost and replaced in between.
 */
export function marketFor(siblings: readonly CapacityType[], distribution: Distribution): 'OnDemand' | undefined {
  const onDemand = siblings.filter((market) => market !== 'Spot').length
  return onDemand < leastOnDemand(siblings.length + 1, distribution) ? 'OnDemand' : undefined
}

/** The API server refuses all else, but an object may be older than its schema. */
function count(value = 0): number {
  return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
}
