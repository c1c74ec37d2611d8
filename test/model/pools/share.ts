import fc from 'fast-check'
import type { FallbackEntry } from '../../../api/rules/capacity/rung.ts'
import type { Happening } from '../happening.ts'
import type { World } from '../world.ts'
import { fallback } from './pools.ts'

/** `distribution` of all machines. */
export interface Share {
  readonly onDemandBase: number
  readonly onDemandPercentAboveBase: number
}

/** Of few Machines each has another number of steps, and of flat places between them. */
export const shares: readonly Share[] = [
  { onDemandBase: 1, onDemandPercentAboveBase: 0 },
  { onDemandBase: 2, onDemandPercentAboveBase: 20 },
  { onDemandBase: 0, onDemandPercentAboveBase: 34 },
  { onDemandBase: 1, onDemandPercentAboveBase: 50 },
]

/** Of so many Machines, as docs/fallback.md says it: the base, and the percentage of the others, rounded up. */
export function least(machines: number, { onDemandBase, onDemandPercentAboveBase }: Share): number {
  const base = Math.min(machines, onDemandBase)
  return base + Math.ceil(((machines - base) * onDemandPercentAboveBase) / 100)
}

/** A machine that is to be spot falls to on demand only after this time. */
export const fallsAfterMs = 3_600_000

/** The entry on demand. The spec itself is 0. */
export const onDemandRung = fallback.findIndex(({ capacityType }) => capacityType === 'OnDemand') + 1

const patient = fallback.map((entry): FallbackEntry => {
  return entry.capacityType === 'OnDemand' ? { ...entry, after: `${fallsAfterMs / 60_000}m` } : entry
})

export interface SpecWanted {
  readonly hasFallback?: boolean | undefined
  readonly share?: Share | undefined
}

/** The spec of all machines. */
export function machineSpecOf({ hasFallback = false, share }: SpecWanted): object {
  if (share) return { fallback: patient, distribution: share }
  return hasFallback ? { fallback } : {}
}

/** More Machines that decide at once than other stories have. */
export const crowds: fc.Arbitrary<Happening> = fc.integer({ min: 0, max: 6 }).map((replicas) => ({
  sentence: `A user scales the MachineDeployment to ${replicas}`,
  befall: (world: World) => {
    world.laws.droughtIsDisturbed()
    world.core.sets.scale(replicas)
  },
}))
