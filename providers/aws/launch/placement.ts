import type { Ctx } from '../../../api/ctx.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import { candidatesFrom, type Candidates } from '../../shared/placement/candidates.ts'
import type { Catalogue } from '../../shared/placement/offerings.ts'
import { inZone, noSubnetIn, spread, zonesOf } from '../../shared/placement/subnets-by-zone.ts'
import type { Subnet } from '../lookups/facts.ts'
import type { Looking } from '../lookups/lookups.ts'
import { clusterSubnets, ownSubnets } from './subnets.ts'
import type { AwsWanted } from './wanted.ts'

/**
 * Where the machine may go, the best first: where it was asked for before, else in its own subnet, else in one of the
 * cluster's; in its failure domain where it has one.
 */
export function subnetsFor(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<Candidates<SubnetInZone>> {
  const { field, known } = subnetsOf(wanted)
  return candidatesFrom<SubnetInZone>(wanted, {
    again: ({ subnet, zone }) => ({ id: subnet, zone }),
    allowed: async () =>
      ofRightKind(inZone(await inField(field, known(wanted, lookups, ctx)), wanted, field), wanted, field),
    nameOf: ({ id }) => id,
    inOrder: async (left) => spread(left, wanted.machine, await zonesOffering(left, wanted, lookups, ctx)),
    full: { code: 'InsufficientFreeAddressesInSubnet', where: ` in ${field}` },
  })
}

/** Those that the machine's own spec names, else the cluster's. */
function subnetsOf({ spec }: AwsWanted) {
  return spec.subnet === undefined
    ? { field: 'spec.network.subnets of the AWSCluster', known: clusterSubnets }
    : { field: 'spec.subnet of the AWSMachine', known: ownSubnets }
}

/** The zones for a machine that names none, and why it cannot be in another one. */
export async function zonesFor(
  wanted: AwsWanted,
  lookups: Looking,
  ctx: Ctx,
): Promise<Pick<Catalogue, 'zones' | 'obstacleIn'>> {
  const { field, known } = subnetsOf(wanted)
  const all = await inField(field, known(wanted, lookups, ctx))
  const usual = ofRightKind(all, wanted, field)
  const possible = zonesOf(wanted.spec.publicIP && !wanted.spec.subnet?.id ? usual : all)
  return {
    zones: zonesOf(usual),
    obstacleIn: (where) => (possible.includes(where.zone) ? undefined : noSubnetIn(all, where, field)),
  }
}

type SubnetInZone = Pick<Subnet, 'id' | 'zone'>

/** A public address needs a public subnet. Without that wish a private one is better, where there is one. */
function ofRightKind(known: readonly Subnet[], { spec }: AwsWanted, field: string): readonly Subnet[] {
  if (spec.subnet?.id) return known
  const fitting = known.filter(({ isPublic }) => isPublic === (spec.publicIP ?? false))
  if (fitting.length > 0) return fitting
  if (!spec.publicIP) return known
  throw invalid(
    `No public subnet for spec.publicIP of the AWSMachine: ${field} has none that fits. Name one, and set isPublic ` +
      'if it does not assign public addresses automatically.',
  )
}

/** EC2 is not asked where there is no choice of a zone. */
async function zonesOffering(subnets: readonly SubnetInZone[], { spec, scope }: AwsWanted, lookups: Looking, ctx: Ctx) {
  return zonesOf(subnets).length > 1 ? lookups.zonesOffering(spec.instanceType, scope, ctx) : []
}
