import type { Ctx } from '../../../api/ctx.ts'
import { annotations } from '../../../api/labels.ts'
import { shortened } from '../../errors.ts'
import { invalid } from '../../shared/invalid.ts'
import { zonesInOrder } from '../../shared/zones-in-order.ts'
import type { Looking } from '../lookups/lookups.ts'
import { isZoneOf } from '../wire/documents.ts'
import type { GcpWanted } from './wanted.ts'

/**
 * Where the machine goes: to where it was asked for before, else to its failure domain where it has one, else to one of
 * the cluster's zones, or of the region's where the cluster names none. Zones that do not offer the type are left out,
 * unless that leaves none. Nobody looks whether there is capacity, and no other zone is tried.
 */
export async function zoneFor(
  { machine, spec, cluster, scope, zone, at }: GcpWanted,
  lookups: Looking,
  ctx: Ctx,
): Promise<string> {
  const { region } = scope
  // GCE knows that two inserts are one only in one zone.
  if (at) return inRegion(region, at.zone, `The zone in the annotation ${annotations.attempt} of the GCPMachine`)
  if (zone !== undefined) return inRegion(region, zone, 'spec.failureDomain of the Machine')
  const listed = cluster.failureDomains?.map((one) => inRegion(region, one, 'spec.failureDomains of the GCPCluster'))
  const [only, ...others] = listed ?? []
  if (only !== undefined && others.length === 0) return only
  const offering = await lookups.zonesOffering(spec.instanceType, scope, ctx)
  const zones = listed ?? (offering.length > 0 ? offering : await lookups.zones(scope, ctx))
  const useful = zones.filter((one) => offering.includes(one))
  const [best] = zonesInOrder(machine, useful.length > 0 ? useful : zones)
  if (best !== undefined) return best
  throw invalid(`GCE shows no zone of ${region} in project ${scope.account}; correct spec.region of the GCPCluster.`)
}

/** A zone goes into paths of calls, and what users and annotations say is any text. */
function inRegion(region: string, zone: string, field: string): string {
  if (isZoneOf(region, zone)) return zone
  const is = zone === '' ? 'empty' : shortened(zone)
  throw invalid(`${field} is ${is}, which is not in spec.region of the GCPCluster (${region}); correct one.`)
}
