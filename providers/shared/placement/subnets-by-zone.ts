import { invalid } from '../invalid.ts'
import { zonesInOrder } from './zones-in-order.ts'

interface Zoned {
  readonly zone: string
}

export function zonesOf(subnets: readonly Zoned[]): string[] {
  return [...new Set(subnets.map(({ zone }) => zone))]
}

/** The subnets in the machine's zone, if it has one. */
export function inZone<S extends Zoned>(
  known: readonly S[],
  { zone, zoneIs }: { readonly zone: string | undefined; readonly zoneIs: string },
  field: string,
): readonly S[] {
  if (zone === undefined) return known
  const there = known.filter((subnet) => subnet.zone === zone)
  if (there.length > 0) return there
  throw invalid(noSubnetIn(known, { zone, zoneIs }, field))
}

/** Why a machine cannot be in this zone, in words. */
export function noSubnetIn(
  known: readonly Zoned[],
  { zone, zoneIs }: { readonly zone: string; readonly zoneIs: string },
  field: string,
): string {
  const zones = zonesOf(known).toSorted().join(', ')
  return `No subnet in ${zone}, ${zoneIs}: ${field} only has subnets in ${zones}.`
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
