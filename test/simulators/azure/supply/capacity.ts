import type { Capacity, CapacityHole, Holding, Offering } from '../../kit/supply/capacity.ts'
import { marketOf, type Instance, type Refusal } from '../instances/instance.ts'

/** Where Azure has nothing to give. */
export interface ArmHole extends CapacityHole {
  /** What is said of it; left out: SkuNotAvailable to spot machines, to others the allocation fails afterwards. */
  readonly code?: CapacityCode
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

/** What is said to somebody who wants this now; undefined: it is there. */
export function lackOf(offering: Offering, capacity: Capacity<ArmHole>, now: number): CapacityCode | undefined {
  const hole = capacity.holeFor(offering, now)
  return hole && (hole.code ?? usualCode(offering))
}

function usualCode({ market, zone }: Offering): CapacityCode {
  if (market === 'spot') return 'SkuNotAvailable'
  return zone === undefined ? 'AllocationFailed' : 'ZonalAllocationFailed'
}

/** Undefined: it is said at once, not afterwards. */
export function refusalAfterwards(code: CapacityCode): Refusal | undefined {
  return code === 'SkuNotAvailable' ? undefined : { code, message: afterwards[code] }
}

/** What machines take of Azure's capacity; what is deallocated has given its place up. */
export function* holdings(instances: Iterable<Instance>): Iterable<Holding> {
  for (const instance of instances) {
    const { plan, power, provisioning } = instance
    if (power === 'deallocated' || provisioning === 'Failed') continue
    yield { instance, offering: { instanceType: plan.type.name, zone: plan.zone, market: marketOf(plan) } }
  }
}
