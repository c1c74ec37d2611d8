import type { Ctx } from '../../../api/ctx.ts'
import { annotations } from '../../../api/labels.ts'
import { noOthers } from '../../shared/placement.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import type { ProfileFacts, Subnet } from '../lookups/facts.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import { inZone, spread } from '../../shared/subnets-by-zone.ts'
import type { Looking } from '../lookups/lookups.ts'
import type { IbmWanted } from './wanted.ts'

/**
 * Where the machine may go, the best first: where it was asked for before, else in its own subnet, else in one of the
 * cluster's; in its failure domain where it has one. What was full before is left out.
 */
export async function subnetsFor(
  wanted: IbmWanted,
  profile: ProfileFacts,
  lookups: Looking,
  ctx: Ctx,
): Promise<[Subnet, ...Subnet[]]> {
  const { at, exclude } = wanted
  if (!at) return chosen(wanted, profile, lookups, ctx)
  if (!attemptPatterns.subnet.test(at.subnet) || !attemptPatterns.zone.test(at.zone)) {
    throw invalid(
      `The subnet or zone in the annotation ${annotations.attempt} of the IBMMachine is not valid in IBM Cloud; replace the Machine.`,
    )
  }
  const [again] = await oneOf(at.subnet, wanted, lookups, ctx).catch(noOthers)
  const others = chosen({ ...wanted, exclude: [...exclude, at.subnet] }, profile, lookups, ctx)
  return [{ id: at.subnet, zone: at.zone, vpc: again?.vpc }, ...(await others.catch(noOthers))]
}

async function chosen(
  wanted: IbmWanted,
  profile: ProfileFacts,
  lookups: Looking,
  ctx: Ctx,
): Promise<[Subnet, ...Subnet[]]> {
  const own = wanted.spec.primaryNetworkInterface?.subnet
  const field = own
    ? 'spec.primaryNetworkInterface.subnet of the IBMMachine'
    : 'spec.network.workerSubnets of the IBMCluster'
  const known = await inField(field, own ? oneOf(own, wanted, lookups, ctx) : clusterSubnets(wanted, lookups, ctx))
  const fitting = inZone(known, wanted.zone, field)
  const left = fitting.filter(({ id }) => !wanted.exclude.includes(id))
  const [first, ...others] = spread(left, wanted.machine, profile.zones)
  if (first) return [first, ...others]
  const message = `None of the ${fitting.length} matching subnets in ${field} has a free address.`
  throw new CloudError('subnet', { code: 'subnet_out_of_ip_addresses', message })
}

async function clusterSubnets(wanted: IbmWanted, lookups: Looking, ctx: Ctx): Promise<readonly Subnet[]> {
  const listed = wanted.cluster.network?.workerSubnets ?? []
  if (listed.length === 0) {
    throw invalid('it is empty; add a subnet, or set spec.primaryNetworkInterface.subnet of the IBMMachine.')
  }
  const found = await Promise.all(listed.map(({ id }) => oneOf(id, wanted, lookups, ctx)))
  return found.flat()
}

/** Nobody has to be asked for what the cluster says of its subnet. */
async function oneOf(
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
