import type { Ctx } from '../../../api/ctx.ts'
import type { GCPClusterSpec } from '../../../api/generated/gcp-cluster.ts'
import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import type { Offering } from '../../../api/offering.ts'
import type { Rung } from '../../../api/rules/capacity/rung.ts'
import type { Offerings } from '../../cloud.ts'
import { offeringsIn, type ZoneOfRung } from '../../shared/placement/offerings.ts'
import type { Looking } from '../lookups/lookups.ts'
import { quotaClassOf } from '../lookups/quota-classes.ts'
import { capacityTypeOf } from './market.ts'
import { obstacleIn, zonesFor } from './placement.ts'
import { readWanted, type GcpWish } from './wanted.ts'

export function gcpOfferings(lookups: Looking): Offerings<GCPMachineSpec, GCPClusterSpec> {
  return {
    own: ({ machine: { spec } }) =>
      Promise.resolve({ capacityType: capacityTypeOf(spec), instanceType: spec.instanceType }),
    of: (wish, rung, ctx) => offeringsOf({ wish, rung, lookups }, ctx),
    quotaClassOf,
    // Its codes for a lack of capacity are of the zone and the type.
    reachOf: () => 'offering',
  }
}

/** GCE tells the zones of a type, and not whether it is sold as spot there. */
async function offeringsOf(
  { wish, rung, lookups }: { wish: GcpWish; rung: Rung; lookups: Looking },
  ctx: Ctx,
): Promise<readonly Offering[]> {
  const wanted = readWanted(wish)
  const { machine, scope, zone: failureDomain } = wanted
  const zonesSelling = async (type: string) => {
    const zones = await lookups.zonesOffering(type, scope, ctx)
    return zones.length > 0 ? zones : undefined
  }
  const isSaid = failureDomain !== undefined || rung.zones !== undefined
  const zones = isSaid ? [] : await zonesFor(wanted, { instanceTypes: rung.instanceTypes, lookups }, ctx)
  const places = { zones, obstacleIn: (where: ZoneOfRung) => obstacleIn(scope.region, where) }
  return offeringsIn({ machine, failureDomain, zonesSelling, ...places }, rung)
}
