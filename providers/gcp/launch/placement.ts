import type { Site } from '../../../api/attempt.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { annotations } from '../../../api/labels.ts'
import { shortened } from '../../errors.ts'
import { invalid } from '../../shared/invalid.ts'
import type { ZoneOfRung } from '../../shared/placement/offerings.ts'
import { candidatesFrom } from '../../shared/placement/candidates.ts'
import { zoneOfMachine } from '../../shared/wanted.ts'
import { zonesInOrder } from '../../shared/placement/zones-in-order.ts'
import type { Looking } from '../lookups/lookups.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import { isZoneOf } from '../wire/documents.ts'
import type { GcpWanted } from './wanted.ts'

/**
 * The zone of the machine: where it was asked for before, else its failure domain, else one of the cluster's zones, or
 * of the region's where the cluster names none. Zones that do not offer the type are left out, unless that leaves none.
 * It does not look for capacity, and tries no second zone.
 */
export async function zoneFor(
  { machine, spec, cluster, scope, zone, zoneIs, at }: GcpWanted,
  lookups: Looking,
  ctx: Ctx,
): Promise<string> {
  const { region } = scope
  // GCE knows that two inserts are one only in one zone.
  if (at) return inRegion(region, at.zone, `The zone in the annotation ${annotations.attempt} of the GCPMachine`)
  if (zone !== undefined) return inRegion(region, zone, fieldOf(zoneIs))
  const listed = listedZones(cluster, region)
  const [only, ...others] = listed ?? []
  if (only !== undefined && others.length === 0) return only
  const offering = await lookups.zonesOffering(spec.instanceType, scope, ctx)
  const zones = listed ?? (offering.length > 0 ? offering : await lookups.zones(scope, ctx))
  const useful = zones.filter((one) => offering.includes(one))
  const [best] = zonesInOrder(machine, useful.length > 0 ? useful : zones)
  if (best !== undefined) return best
  throw invalid(`GCE shows no zone of ${region} in project ${scope.account}; correct spec.region of the GCPCluster.`)
}

/** Why an instance of this region cannot be in a zone. */
export function obstacleIn(region: string, { zone, zoneIs }: ZoneOfRung): string | undefined {
  return isZoneOf(region, zone) ? undefined : notInRegion(region, zone, fieldOf(zoneIs))
}

/** The zones of the cluster, else those of the region, which GCE is asked for only where no type tells its own. */
export async function zonesFor(
  { cluster, scope }: GcpWanted,
  { instanceTypes, lookups }: { readonly instanceTypes: readonly string[]; readonly lookups: Looking },
  ctx: Ctx,
): Promise<readonly string[]> {
  const listed = listedZones(cluster, scope.region)
  if (listed && listed.length > 0) return listed
  const offering = await Promise.all(instanceTypes.map((type) => lookups.zonesOffering(type, scope, ctx)))
  const zones = [...new Set(offering.flat())]
  return zones.length > 0 ? zones : lookups.zones(scope, ctx)
}

function listedZones({ failureDomains }: GcpWanted['cluster'], region: string): string[] | undefined {
  return failureDomains?.map((one) => inRegion(region, one, 'spec.failureDomains of the GCPCluster'))
}

function fieldOf(zoneIs: string): string {
  return zoneIs === zoneOfMachine ? 'spec.failureDomain of the Machine' : `The zone ${zoneIs}`
}

/** A zone becomes a part of paths, and specs and annotations may contain any text. */
function inRegion(region: string, zone: string, field: string): string {
  if (isZoneOf(region, zone)) return zone
  throw invalid(notInRegion(region, zone, field))
}

function notInRegion(region: string, zone: string, field: string): string {
  const is = zone === '' ? 'empty' : shortened(zone)
  return `${field} is ${is}, which is not in spec.region of the GCPCluster (${region}); correct one.`
}

/** A network, subnets of it, or both: of a subnet the network need not be named. */
interface Attachable {
  readonly network: string | undefined
  /** The best first. */
  readonly subnets: readonly string[]
}

/**
 * The networks and subnets that the machine may be attached to: where it was asked for before, else its own subnet or
 * those of the cluster, else the cluster's network. Empty: the specs name none.
 */
export async function subnetsFor(wanted: GcpWanted): Promise<Attachable> {
  const { at, cluster } = wanted
  const again = at && named(at.subnet)
  if (again?.startsWith(anyIn)) return { network: again.slice(anyIn.length), subnets: [] }
  const allowed = allowedBy(wanted)
  const choice = {
    again: ({ subnet }: Site) => subnet,
    allowed: () => allowed,
    nameOf: (name: string) => name,
    full: { code: 'IP_SPACE_EXHAUSTED', where: '' },
  }
  const subnets = !at && allowed.length === 0 ? [] : await candidatesFrom(wanted, choice)
  return { network: cluster.network?.name, subnets }
}

/** Before the name of a network where that of a subnet would be. */
const anyIn = 'network '

/** As an attempt names it: a network makes its subnet itself in every region. */
export function siteIn(network: string | undefined, subnet: string | undefined): string {
  return subnet ?? `${anyIn}${network}`
}

function named(subnet: string): string {
  if (attemptPatterns.subnet.test(subnet)) return subnet
  throw invalid(
    `The subnet in the annotation ${annotations.attempt} of the GCPMachine is not a valid name in GCE; replace the Machine.`,
  )
}

function allowedBy({ spec, cluster, scope }: GcpWanted): string[] {
  if (spec.subnet) return [spec.subnet]
  const listed = cluster.network?.subnets ?? []
  return listed.filter(({ region }) => region === undefined || region === scope.region).map(({ name }) => name)
}
