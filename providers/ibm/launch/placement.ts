import { annotations } from '../../../api/labels.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { Site } from '../../../api/attempt.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import { candidatesFrom, noneLeft, type Candidates } from '../../shared/placement/candidates.ts'
import type { Catalogue } from '../../shared/placement/offerings.ts'
import { inZone, noSubnetIn, spread, zonesOf } from '../../shared/placement/subnets-by-zone.ts'
import type { ProfileFacts, Subnet } from '../lookups/facts.ts'
import type { Looking } from '../lookups/lookups.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import { clusterSubnets, subnetWithId } from './subnets.ts'
import type { IbmWanted } from './wanted.ts'

/**
 * Where the machine may go, the best first: where it was asked for before, else in its own subnet, else in one of the
 * cluster's; in its failure domain where it has one.
 */
export function subnetsFor(
  wanted: IbmWanted,
  profile: ProfileFacts,
  lookups: Looking,
  ctx: Ctx,
): Promise<Candidates<Subnet>> {
  const field = fieldOf(wanted)
  return candidatesFrom(wanted, {
    again: (at) => subnetOf(at, wanted, lookups, ctx),
    allowed: async () => inZone(await known(wanted, lookups, ctx), wanted, field),
    nameOf: ({ id }) => id,
    inOrder: (left) => spread(left, wanted.machine, profile.zones),
    full: { code: 'subnet_out_of_ip_addresses', where: ` in ${field}` },
  })
}

/** The zones for a machine that names none, and why it cannot be in another one. */
export async function zonesFor(
  wanted: IbmWanted,
  lookups: Looking,
  ctx: Ctx,
): Promise<Pick<Catalogue, 'zones' | 'obstacleIn'>> {
  const all = await known(wanted, lookups, ctx)
  const zones = zonesOf(all)
  const field = fieldOf(wanted)
  return { zones, obstacleIn: (where) => (zones.includes(where.zone) ? undefined : noSubnetIn(all, where, field)) }
}

/** The subnet that the machine's own spec names, else the cluster's. */
function known(wanted: IbmWanted, lookups: Looking, ctx: Ctx): Promise<readonly Subnet[]> {
  const own = wanted.spec.primaryNetworkInterface?.subnet
  return inField(fieldOf(wanted), own ? subnetWithId(own, wanted, lookups, ctx) : clusterSubnets(wanted, lookups, ctx))
}

function fieldOf({ spec }: IbmWanted): string {
  return spec.primaryNetworkInterface?.subnet
    ? 'spec.primaryNetworkInterface.subnet of the IBMMachine'
    : 'spec.network.workerSubnets of the IBMCluster'
}

/** Its VPC is left out where neither the cluster nor IBM tells it any more. */
async function subnetOf({ subnet, zone }: Site, wanted: IbmWanted, lookups: Looking, ctx: Ctx): Promise<Subnet> {
  if (!attemptPatterns.subnet.test(subnet) || !attemptPatterns.zone.test(zone)) {
    throw invalid(
      `The subnet or zone in the annotation ${annotations.attempt} of the IBMMachine is not valid in IBM Cloud; replace the Machine.`,
    )
  }
  const [known] = await subnetWithId(subnet, wanted, lookups, ctx).catch(noneLeft)
  return { id: subnet, zone, vpc: known?.vpc }
}
