import type { Ctx } from '../../../api/ctx.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import { candidatesFrom, type Candidates } from '../../shared/placement.ts'
import { inZone, spread, zonesOf } from '../../shared/subnets-by-zone.ts'
import type { Subnet } from '../lookups/facts.ts'
import type { Looking } from '../lookups/lookups.ts'
import { clusterSubnets, ownSubnets } from './subnets.ts'
import type { AwsWanted } from './wanted.ts'

/**
 * Where the machine may go, the best first: where it was asked for before, else in its own subnet, else in one of the
 * cluster's; in its failure domain where it has one.
 */
export function subnetsFor(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<Candidates<SubnetInZone>> {
  const isOwn = wanted.spec.subnet !== undefined
  const field = isOwn ? 'spec.subnet of the AWSMachine' : 'spec.network.subnets of the AWSCluster'
  const known = isOwn ? ownSubnets : clusterSubnets
  return candidatesFrom<SubnetInZone>(wanted, {
    again: ({ subnet, zone }) => ({ id: subnet, zone }),
    allowed: async () =>
      ofRightKind(inZone(await inField(field, known(wanted, lookups, ctx)), wanted.zone, field), wanted, field),
    nameOf: ({ id }) => id,
    inOrder: async (left) => spread(left, wanted.machine, await zonesOffering(left, wanted, lookups, ctx)),
    full: { code: 'InsufficientFreeAddressesInSubnet', where: ` in ${field}` },
  })
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
