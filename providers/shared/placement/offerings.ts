import { CloudError } from '../../../api/cloud-error.ts'
import type { Offering } from '../../../api/offering.ts'
import { obstacleTo, offeringsOf, type Rung } from '../../../api/rules/capacity/rung.ts'
import { invalid } from '../invalid.ts'
import { zoneOfMachine } from '../wanted.ts'
import { zonesInOrder } from './zones-in-order.ts'

/** A zone, and what it is, in words. */
export interface ZoneOfRung {
  readonly zone: string
  readonly zoneIs: string
}

/** Where a machine may go, and what a cloud says of its types. */
export interface Catalogue {
  /** `namespace/name` */
  readonly machine: string
  /** The zones of the spec itself. '' is no zone. */
  readonly zones: readonly string[]
  readonly failureDomain: string | undefined
  /** Why the machine cannot be in this zone at all, as a sentence. Undefined: it can. */
  readonly obstacleIn: (where: ZoneOfRung) => string | undefined
  /** The zones that sell the type in the rung's market. Undefined: the cloud does not say. */
  readonly zonesSelling: (instanceType: string) => Promise<readonly string[] | undefined>
}

/**
 * The offerings of a rung. Types that the cloud sells in none of the zones are left out beside others that it sells. By
 * themselves they stay: then the cloud's refusal tells it. Throws 'invalid' for a rung without an offering.
 */
export async function offeringsIn(catalogue: Catalogue, rung: Rung): Promise<readonly Offering[]> {
  const { machine, failureDomain, zones } = catalogue
  const obstacle = obstacleTo(rung, catalogue)
  if (obstacle !== undefined) throw invalid(obstacle)
  const obstacles = new Map<string, string | undefined>()
  const isPossible = (zone: string) => {
    const why = catalogue.obstacleIn({ zone, zoneIs: whatZoneIs(rung, catalogue) })
    obstacles.set(zone, why)
    return why === undefined
  }
  const inOrder = (some: readonly string[]) => zonesInOrder(machine, some).filter(isPossible)
  const around = { zones, failureDomain, inOrder }
  const all = offeringsOf(rung, { ...around, isSold: () => true })
  if (all.length === 0) throw invalid([...obstacles.values()].find((why) => why !== undefined) ?? noZone)
  if (all.length === 1) return all
  const selling = await sellingIn(catalogue, rung)
  const isSold = ({ instanceType, zone }: Offering) => selling.get(instanceType)?.includes(zone) ?? true
  const sold = new Set(all.filter(isSold).map(({ instanceType }) => instanceType))
  const instanceTypes = rung.instanceTypes.filter((type) => sold.size === 0 || sold.has(type))
  return offeringsOf({ ...rung, instanceTypes }, { ...around, isSold })
}

async function sellingIn(
  { zonesSelling }: Catalogue,
  { instanceTypes }: Rung,
): Promise<ReadonlyMap<string, readonly string[] | undefined>> {
  const types = [...new Set(instanceTypes)]
  return new Map(await Promise.all(types.map(async (type) => [type, await zonesSelling(type)] as const)))
}

const noZone = 'The infrastructure cluster has no zone for this machine; name subnets or failure domains there.'

function whatZoneIs({ index }: Rung, { failureDomain }: Catalogue): string {
  if (failureDomain !== undefined) return zoneOfMachine
  return index === 0 ? 'a zone of the cluster' : `which spec.fallback[${index - 1}].zones names`
}

/** A look-up that only guides a choice needs no permission. */
export async function unlessDenied<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup
  } catch (thrown) {
    if (thrown instanceof CloudError && thrown.kind === 'denied') return undefined
    throw thrown
  }
}
