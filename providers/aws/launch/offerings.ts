import type { Ctx } from '../../../api/ctx.ts'
import type { AWSClusterSpec } from '../../../api/generated/aws-cluster.ts'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import type { Offering } from '../../../api/offering.ts'
import type { Rung } from '../../../api/rules/capacity/rung.ts'
import type { Offerings } from '../../cloud.ts'
import { offeringsIn } from '../../shared/placement/offerings.ts'
import type { Looking } from '../lookups/lookups.ts'
import { quotaClassOf } from '../lookups/quota-classes.ts'
import { reachOf } from '../wire/errors.ts'
import { marketOf } from './market.ts'
import { zonesFor } from './placement.ts'
import { readWanted, type AwsWish } from './wanted.ts'

export function awsOfferings(lookups: Looking): Offerings<AWSMachineSpec, AWSClusterSpec> {
  return {
    own: ({ machine: { spec } }) =>
      Promise.resolve({ capacityType: marketOf(spec).capacityType, instanceType: spec.instanceType }),
    of: (wish, rung, ctx) => offeringsOf({ wish, rung, lookups }, ctx),
    quotaClassOf,
    reachOf,
  }
}

/** EC2 tells the zones of a type, and not whether it is sold as spot there. */
async function offeringsOf(
  { wish, rung, lookups }: { wish: AwsWish; rung: Rung; lookups: Looking },
  ctx: Ctx,
): Promise<readonly Offering[]> {
  const wanted = readWanted(wish)
  const { machine, scope, zone: failureDomain } = wanted
  const zonesSelling = async (type: string) => {
    const zones = await lookups.zonesOffering(type, scope, ctx)
    return zones.length > 0 ? zones : undefined
  }
  return offeringsIn({ machine, failureDomain, zonesSelling, ...(await zonesFor(wanted, lookups, ctx)) }, rung)
}
