import type { Ctx } from '../../../api/ctx.ts'
import type { AzureClusterSpec } from '../../../api/generated/azure-cluster.ts'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import type { Offering } from '../../../api/offering.ts'
import type { Rung } from '../../../api/rules/capacity/rung.ts'
import type { Offerings } from '../../cloud.ts'
import { offeringsIn, unlessDenied } from '../../shared/placement/offerings.ts'
import type { Looking } from '../lookups/lookups.ts'
import { quotaClassOf } from '../lookups/quota-classes.ts'
import type { Environment } from '../variables.ts'
import { reachOf } from '../wire/errors.ts'
import { marketOf } from './market.ts'
import { obstacleIn } from './placement.ts'
import { readWanted, scopeOf, type AzureWanted } from './wanted.ts'

export function azureOfferings(
  lookups: Looking,
  environment: Environment,
): Offerings<AzureMachineSpec, AzureClusterSpec> {
  return {
    own: ({ machine: { spec } }) =>
      Promise.resolve({ capacityType: marketOf(spec).capacityType, instanceType: spec.vmSize }),
    of: (wish, rung, ctx) => {
      const wanted = readWanted(wish, scopeOf(wish.cluster, environment))
      return offeringsOf({ wanted, rung, lookups }, ctx)
    },
    quotaClassOf,
    reachOf,
  }
}

/** Azure's placement without a zone. It may use hardware that no zone offers. */
const regional = ''

/** A machine without a zone stays so, whatever zones the cluster has. The list of sizes says what is sold where. */
function offeringsOf(
  { wanted, rung, lookups }: { wanted: AzureWanted; rung: Rung; lookups: Looking },
  ctx: Ctx,
): Promise<readonly Offering[]> {
  const { machine, scope, zone: failureDomain } = wanted
  const zonesSelling = async (size: string) => {
    const facts = await unlessDenied(lookups.instanceType(size, scope, ctx).then((found) => ({ found })))
    if (!facts) return undefined
    const { found } = facts
    if (!found?.isSold || (rung.capacityType === 'Spot' && !found.hasSpot)) return []
    return [regional, ...found.zones]
  }
  return offeringsIn({ machine, zones: [regional], failureDomain, obstacleIn, zonesSelling }, rung)
}
