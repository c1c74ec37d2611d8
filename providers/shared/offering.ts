import type { Offering } from '../cloud.ts'

/** The one name of an offering: `capacityType:instanceType:zone`. Nothing else may build it. */
export function poolOf({ capacityType, instanceType, zone }: Offering): string {
  return `${capacityType}:${instanceType}:${zone}`
}

/** The other way round. */
export function capacityTypeOf(pool: string): string | undefined {
  return pool.split(':').at(0)
}
