import { invalid } from './invalid.ts'
import { zonesInOrder } from './zones-in-order.ts'

interface Zoned {
  readonly zone: string
}

export function zonesOf(subnets: readonly Zoned[]): string[] {
  return [...new Set(subnets.map(({ zone }) => zone))]
}

/** The subnets in the machine's failure domain, if it has one. */
export function inZone<S extends Zoned>(known: readonly S[], zone: string | undefined, field: string): readonly S[] {
  if (zone === undefined) return known
  const there = known.filter((subnet) => subnet.zone === zone)
  if (there.length > 0) return there
  const zones = zonesOf(known).toSorted().join(', ')
  throw invalid(`No subnet in ${zone}, the failure domain of the Machine: ${field} only has subnets in ${zones}.`)
}

/**
 * The subnets of one zone, then those of the next, in the machine's own order of zones. Zones that do not offer the
 * type are left out, unless that leaves none.
 */
export function spread<S extends Zoned>(subnets: readonly S[], machine: string, offering: readonly string[]): S[] {
  const zones = zonesOf(subnets)
  const useful = zones.filter((zone) => offering.includes(zone))
  const order = zonesInOrder(machine, useful.length > 0 ? useful : zones)
  return order.flatMap((zone) => subnets.filter((subnet) => subnet.zone === zone))
}
