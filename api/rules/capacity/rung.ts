import type { CapacityType, Offering } from '../../offering.ts'

/** An entry of `spec.fallback`, as users write it. The same on every cloud. */
export interface FallbackEntry {
  /** Left out: the market of the spec. */
  readonly capacityType?: CapacityType
  /** In this order. Left out: the type of the spec. */
  readonly instanceTypes?: readonly string[]
  /** Left out: the zones of the spec itself. */
  readonly zones?: readonly string[]
  /** Not sooner than this after the first refusal, such as `10m` or `1h30m`. */
  readonly after?: string
}

/** One way to buy an instance for a machine: the spec itself, which is 0, or an entry of its `fallback`. */
export interface Rung {
  readonly index: number
  readonly capacityType: CapacityType
  readonly instanceTypes: readonly string[]
  /** Undefined: those of the spec itself. */
  readonly zones: readonly string[] | undefined
  /** Undefined: `after` is no duration. */
  readonly afterMs: number | undefined
}

/** How Azure's placement without a zone is written in `zones`. In an offering it is the zone ''. */
export const regional = 'regional'

/** The rungs of a machine, the spec first. Without `fallback` that is the only one. */
export function rungsOf(
  own: Pick<Offering, 'capacityType' | 'instanceType'>,
  fallback: readonly FallbackEntry[] = [],
): readonly [Rung, ...Rung[]] {
  const { capacityType, instanceType } = own
  const first: Rung = { index: 0, capacityType, instanceTypes: [instanceType], zones: undefined, afterMs: 0 }
  const others = fallback.map((entry, at): Rung => {
    const { instanceTypes = [instanceType], zones, after } = entry
    return {
      index: at + 1,
      capacityType: entry.capacityType ?? capacityType,
      instanceTypes,
      zones: zones?.map((zone) => (zone === regional ? '' : zone)),
      afterMs: after === undefined ? 0 : durationMs(after),
    }
  })
  return [first, ...others]
}

/** The zones that a machine may go to. */
export interface Around {
  /** Of the spec itself: those of the cluster, as its subnets or its own list name them. '' is no zone. */
  readonly zones: readonly string[]
  /** `Machine.spec.failureDomain`. It bounds every rung. */
  readonly failureDomain: string | undefined
  /** The machine's own order of zones, so that siblings spread. */
  readonly inOrder: (zones: readonly string[]) => readonly string[]
  /** Whether the cloud sells the type there at all. Whether it has capacity now is never asked. */
  readonly isSold: (offering: Offering) => boolean
}

/**
 * The offerings of a rung, the best first: type by type, and each in its zones. Zones in which a type is not sold are
 * left out, unless it is sold in none: then the cloud's refusal tells it.
 */
export function offeringsOf(rung: Rung, around: Around): readonly Offering[] {
  const { capacityType, instanceTypes, afterMs } = rung
  if (afterMs === undefined) return []
  const zones = around.inOrder(zonesOf(rung, around))
  return [...new Set(instanceTypes)].flatMap((instanceType) => {
    const all = zones.map((zone): Offering => ({ capacityType, instanceType, zone }))
    const sold = all.filter(around.isSold)
    return sold.length > 0 ? sold : all
  })
}

/** Why a rung has no offering, for people: the field, and what to do. Undefined if it has one. */
export function obstacleTo(rung: Rung, around: Pick<Around, 'zones' | 'failureDomain'>): string | undefined {
  const field = `spec.fallback[${rung.index - 1}]`
  if (rung.afterMs === undefined) return `${field}.after is no duration; write one such as 10m.`
  if (rung.instanceTypes.length === 0) return `${field} names no instance type; name one, or leave the field out.`
  if (zonesOf(rung, around).length > 0) return undefined
  const { failureDomain } = around
  if (rung.zones === undefined) return 'The infrastructure cluster has no zone; name subnets or failure domains there.'
  if (failureDomain === undefined) return `${field}.zones is empty; name a zone, or leave the field out.`
  return `${field}.zones lacks ${failureDomain}, the failure domain of the Machine; add it, or remove the entry.`
}

function zonesOf({ zones }: Rung, { zones: usual, failureDomain }: Pick<Around, 'zones' | 'failureDomain'>): string[] {
  if (failureDomain === undefined) return [...new Set(zones ?? usual)]
  return zones === undefined || zones.includes(failureDomain) ? [failureDomain] : []
}

const units = { h: 3_600_000, m: 60_000, s: 1_000 } as const

/** `1h30m`, `10m`, `90s`. Undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, hours, minutes, seconds] = /^(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/.exec(text) ?? []
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined
  return Number(hours ?? 0) * units.h + Number(minutes ?? 0) * units.m + Number(seconds ?? 0) * units.s
}
