import type { Ctx } from '../../../api/ctx.ts'
import { noOthers } from '../../shared/placement.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Subnet } from '../lookups/facts.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import { inZone, spread, zonesOf } from '../../shared/subnets-by-zone.ts'
import type { Looking } from '../lookups/lookups.ts'
import { clusterSubnets, ownSubnets } from './subnets.ts'
import type { AwsWanted } from './wanted.ts'

/**
 * Where the machine may go, the best first: where it was asked for before, else in its own subnet, else in one of the
 * cluster's; in its failure domain where it has one. What was full before is left out.
 */
export async function subnetsFor(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<[Place, ...Place[]]> {
  const { at, exclude } = wanted
  if (!at) return chosen(wanted, lookups, ctx)
  const others = chosen({ ...wanted, exclude: [...exclude, at.subnet] }, lookups, ctx)
  return [{ id: at.subnet, zone: at.zone }, ...(await others.catch(noOthers))]
}

type Place = Pick<Subnet, 'id' | 'zone'>

async function chosen(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<[Subnet, ...Subnet[]]> {
  const isOwn = wanted.spec.subnet !== undefined
  const field = isOwn ? 'spec.subnet of the AWSMachine' : 'spec.network.subnets of the AWSCluster'
  const known = await inField(field, isOwn ? ownSubnets(wanted, lookups, ctx) : clusterSubnets(wanted, lookups, ctx))
  const fitting = ofRightKind(inZone(known, wanted.zone, field), wanted, field)
  const left = fitting.filter(({ id }) => !wanted.exclude.includes(id))
  const [first, ...others] = spread(left, wanted.machine, await offering(left, wanted, lookups, ctx))
  if (first) return [first, ...others]
  throw new CloudError('subnet', {
    code: 'InsufficientFreeAddressesInSubnet',
    message: `None of the ${fitting.length} matching subnets in ${field} has a free address.`,
  })
}

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

/** Nobody has to be asked where there is no choice of a zone. */
async function offering(subnets: readonly Subnet[], { spec, scope }: AwsWanted, lookups: Looking, ctx: Ctx) {
  return zonesOf(subnets).length > 1 ? lookups.zonesOffering(spec.instanceType, scope, ctx) : []
}
