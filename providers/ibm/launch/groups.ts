import type { Ctx } from '../../../api/ctx.ts'
import type { Looking } from '../lookups/lookups.ts'
import { idsOf, type Ids } from './named-ids.ts'
import type { IbmWanted } from './wanted.ts'

/** The machine's own security groups, else the cluster's, else none: then IBM takes the VPC's default group. */
export async function securityGroupsFor(
  { spec, cluster, scope }: IbmWanted,
  vpc: string | undefined,
  lookups: Looking,
  ctx: Ctx,
): Promise<Ids> {
  const own = spec.primaryNetworkInterface?.securityGroups
  const field = own
    ? 'spec.primaryNetworkInterface.securityGroups of the IBMMachine'
    : 'spec.network.securityGroups of the IBMCluster'
  return idsOf(own ?? cluster.network?.securityGroups, field, () => lookups.securityGroups(vpc, scope, ctx))
}
