import type { Ctx } from '../../../api/ctx.ts'
import { invalid } from '../../shared/invalid.ts'
import type { Subnet } from '../lookups/facts.ts'
import type { Looking } from '../lookups/lookups.ts'
import type { IbmWanted } from './wanted.ts'

/** The subnets of the cluster, in the order of its spec; at least one. */
export async function clusterSubnets(wanted: IbmWanted, lookups: Looking, ctx: Ctx): Promise<readonly Subnet[]> {
  const listed = wanted.cluster.network?.workerSubnets ?? []
  if (listed.length === 0) {
    throw invalid('it is empty; add a subnet, or set spec.primaryNetworkInterface.subnet of the IBMMachine.')
  }
  const found = await Promise.all(listed.map(({ id }) => subnetWithId(id, wanted, lookups, ctx)))
  return found.flat()
}

/** The subnet with this id. IBM is not asked where the cluster says the zone of its subnet. */
export async function subnetWithId(
  id: string,
  { cluster, scope }: IbmWanted,
  lookups: Looking,
  ctx: Ctx,
): Promise<readonly Subnet[]> {
  const vpc = cluster.network?.vpc?.id
  const said = cluster.network?.workerSubnets?.find((subnet) => subnet.id === id)?.zone
  if (said !== undefined) return [{ id, zone: said, vpc }]
  const found = await lookups.subnet(id, scope, ctx)
  if (!found) throw invalid(`IBM Cloud shows no subnet ${id} in ${scope.region}; correct it.`)
  if (vpc !== undefined && found.vpc !== vpc) {
    throw invalid(
      `subnet ${id} is in VPC ${found.vpc}, but spec.network.vpc.id of the IBMCluster is ${vpc}; correct one.`,
    )
  }
  return [found]
}
