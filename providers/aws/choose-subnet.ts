import type { Ctx } from '../../api/ctx.ts'
import { noOthers } from '../asked-before.ts'
import { CloudError } from '../errors.ts'
import type { Subnet } from './facts.ts'
import { inField, invalid } from '../invalid.ts'
import { zonesInOrder } from '../zones-in-order.ts'
import type { Looking } from './lookups.ts'
import { clusterSubnets, ownSubnets } from './subnets.ts'
import type { AwsWanted } from './wanted.ts'

/**
 * Where the machine may go, the best first: where it was asked for before, else in its own subnet, else in one of the cluster's; in its failure domain where
 * it has one. What was full before is left out.
 */
export async function subnetsFor(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<[Place, ...Place[]]> {
  const { at, without } = wanted
  if (!at) return chosen(wanted, lookups, ctx)
  const others = chosen({ ...wanted, without: [...without, at.place] }, lookups, ctx)
  return [{ id: at.place, zone: at.zone }, ...(await others.catch(noOthers))]
}

type Place = Pick<Subnet, 'id' | 'zone'>

async function chosen(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<[Subnet, ...Subnet[]]> {
  const isOwn = wanted.spec.subnet !== undefined
  const field = isOwn ? 'spec.subnet of the AWSMachine' : 'spec.network.subnets of the AWSCluster'
  const known = await inField(field, isOwn ? ownSubnets(wanted, lookups, ctx) : clusterSubnets(wanted, lookups, ctx))
  const fitting = ofRightKind(inZone(known, wanted, field), wanted, field)
  const left = fitting.filter(({ id }) => !wanted.without.includes(id))
  const [first, ...others] = await spread(left, wanted, lookups, ctx)
  if (first) return [first, ...others]
  throw new CloudError('subnet', {
    code: 'InsufficientFreeAddressesInSubnet',
    message: `No subnet that fits has a free address, of ${fitting.length} in ${field}.`,
  })
}

function inZone(known: readonly Subnet[], { zone }: AwsWanted, field: string): readonly Subnet[] {
  if (zone === undefined) return known
  const there = known.filter((subnet) => subnet.zone === zone)
  if (there.length > 0) return there
  const zones = [...new Set(known.map((subnet) => subnet.zone))].toSorted().join(', ')
  throw invalid(`No subnet in ${zone}, the Machine's failure domain: ${field} has some in ${zones} only.`)
}

/** A public address needs a public subnet. Without that wish a private one is better, where there is one. */
function ofRightKind(known: readonly Subnet[], { spec }: AwsWanted, field: string): readonly Subnet[] {
  if (spec.subnet?.id) return known
  const fitting = known.filter(({ isPublic }) => isPublic === (spec.publicIP ?? false))
  if (fitting.length > 0) return fitting
  if (!spec.publicIP) return known
  throw invalid(
    `No public subnet for spec.publicIP of the AWSMachine: ${field} has none that fits. Name one; say isPublic of it ` +
      'where it does not give out public addresses by itself.',
  )
}

/**
 * The subnets of one zone, then those of the next. Each machine has an order of the zones that follows from its name
 * alone: together they spread evenly, a retry comes to the same subnet, and a zone that is added or taken away moves no
 * machine but those that go to it. Zones that do not offer the type are left out, unless that leaves none.
 */
async function spread(subnets: readonly Subnet[], wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<Subnet[]> {
  const zones = [...new Set(subnets.map(({ zone }) => zone))]
  if (zones.length <= 1) return [...subnets]
  const offering = await lookups.zonesOffering(wanted.spec.instanceType, wanted.scope, ctx)
  const useful = zones.filter((zone) => offering.includes(zone))
  const order = zonesInOrder(wanted.name, useful.length > 0 ? useful : zones)
  return order.flatMap((zone) => subnets.filter((subnet) => subnet.zone === zone))
}
