import type { Refusal } from './instance.ts'

/** Where Azure has nothing to give. What is left out stands for all of its kind. */
export interface CapacityHole {
  readonly instanceType?: string
  readonly zone?: string
  readonly market?: 'spot' | 'on-demand'
  /** In milliseconds of the simulator's clock; left out: until it is given back. */
  readonly until?: number
  /** What is said of it; left out: SkuNotAvailable to spot machines, to others the allocation fails afterwards. */
  readonly code?: CapacityCode
}

export interface Offering {
  readonly instanceType: string
  readonly zone: string | undefined
  readonly market: 'spot' | 'on-demand'
}

const constraints =
  'Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too ' +
  'restrictive. Please remove some constraints and try again. Constraints applied are:'

const guidance = 'Read more about improving likelihood of allocation success at http://aka.ms/allocation-guidance'

/** Refused after the machine was accepted; with what Azure says. */
const afterwards = {
  AllocationFailed: `Allocation failed. We do not have sufficient capacity for the requested VM size in this region. ${guidance}`,
  ZonalAllocationFailed: `Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. ${guidance}`,
  OverconstrainedAllocationRequest: `${constraints}\n  - Preemptible VMs (VM might be preempted by another VM with a higher priority)\n  - VM Size\n`,
  OverconstrainedZonalAllocationRequest: `${constraints}\n  - Availability Zone\n  - Preemptible VMs (VM might be preempted by another VM with a higher priority)\n  - VM Size\n`,
} as const

export const capacityCodes = ['SkuNotAvailable', ...(Object.keys(afterwards) as (keyof typeof afterwards)[])] as const
export type CapacityCode = (typeof capacityCodes)[number]

export class Capacity {
  #holes: readonly CapacityHole[] = []

  takeAway(hole: CapacityHole): void {
    this.#holes = [...this.#holes, hole]
  }

  /** Ends every hole that is about this and nothing else; all of them when nothing is said. */
  giveBack({ instanceType, zone, market }: CapacityHole): void {
    this.#holes = this.#holes.filter(
      (hole) =>
        (instanceType !== undefined && hole.instanceType !== instanceType) ||
        (zone !== undefined && hole.zone !== zone) ||
        (market !== undefined && hole.market !== market),
    )
  }

  /** What is said to somebody who wants this now; undefined: it is there. */
  lacks(offering: Offering, now: number): CapacityCode | undefined {
    const hole = this.missing(now).find(
      ({ instanceType, zone, market }) =>
        (instanceType === undefined || instanceType === offering.instanceType) &&
        (zone === undefined || zone === offering.zone) &&
        (market === undefined || market === offering.market),
    )
    return hole && (hole.code ?? usualCode(offering))
  }

  /** What is missing at this time. */
  missing(now: number): readonly CapacityHole[] {
    return this.#holes.filter(({ until }) => until === undefined || now < until)
  }
}

function usualCode({ market, zone }: Offering): CapacityCode {
  if (market === 'spot') return 'SkuNotAvailable'
  return zone === undefined ? 'AllocationFailed' : 'ZonalAllocationFailed'
}

/** Undefined: it is said at once, not afterwards. */
export function refusalAfterwards(code: CapacityCode): Refusal | undefined {
  return code === 'SkuNotAvailable' ? undefined : { code, message: afterwards[code] }
}
