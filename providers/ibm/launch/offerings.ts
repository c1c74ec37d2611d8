import type { Ctx } from '../../../api/ctx.ts'
import type { IBMClusterSpec } from '../../../api/generated/ibm-cluster.ts'
import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import type { Offering } from '../../../api/offering.ts'
import type { Rung } from '../../../api/rules/capacity/rung.ts'
import type { Offerings } from '../../cloud.ts'
import { offeringsIn } from '../../shared/placement/offerings.ts'
import { instanceTypeFor } from '../lookups/instance-type.ts'
import type { Looking } from '../lookups/lookups.ts'
import { quotaClassOf } from '../lookups/quota-classes.ts'
import { marketOf } from './market.ts'
import { zonesFor } from './placement.ts'
import { readWanted, type IbmWish } from './wanted.ts'

export function ibmOfferings(lookups: Looking): Offerings<IBMMachineSpec, IBMClusterSpec> {
  return {
    own: (wish, ctx) => ownOf(wish, lookups, ctx),
    of: (wish, rung, ctx) => offeringsOf({ wish, rung, lookups }, ctx),
    quotaClassOf,
    // Its codes for a lack of capacity do not say how far it reaches.
    reachOf: () => 'offering',
  }
}

/** A spec without a class gets the usual one of its profile. */
async function ownOf(wish: IbmWish, lookups: Looking, ctx: Ctx) {
  const { spec, scope } = readWanted(wish)
  const profile = await instanceTypeFor(spec.profile, scope, lookups, ctx)
  return { capacityType: marketOf(spec, profile).capacityType, instanceType: profile.name }
}

/** A profile names its classes and its zones. Where it names no zones, all may have it. */
async function offeringsOf(
  { wish, rung, lookups }: { wish: IbmWish; rung: Rung; lookups: Looking },
  ctx: Ctx,
): Promise<readonly Offering[]> {
  const wanted = readWanted(wish)
  const { machine, scope, zone: failureDomain } = wanted
  const places = await zonesFor(wanted, lookups, ctx)
  const wantedClass = rung.capacityType === 'Spot' ? 'spot' : 'standard'
  const zonesSelling = async (name: string) => {
    const profile = await lookups.profile(name, scope, ctx)
    if (!profile?.classes.includes(wantedClass)) return []
    return profile.zones.length > 0 ? profile.zones : places.zones
  }
  return offeringsIn({ machine, failureDomain, zonesSelling, ...places }, rung)
}
