import { offeringKey, type CapacityType, type Offering } from '../../offering.ts'
import { refusals, type RefusalKind } from '../../refusal.ts'
import type { BackoffTerms } from '../backoff-group.ts'

/** What a machine asks for, as far as it decides with whom the machine shares a backoff group. */
export interface Asked {
  /** The key of the scope. */
  readonly scope: string
  readonly offering: Offering
  /** A number of the spec, or `default`: the cloud sets the bound. */
  readonly maxPrice: string
  /**
   * A digest of the placement group, tenancy, host, reservation, accelerators and proximity group. '' without any. A
   * refusal under constraints says nothing about requests without them.
   */
  readonly constraints: string
  readonly quota: QuotaClass
  /** It has other offerings to ask for. Such a machine does not ask again soon for what the cloud does not sell. */
  readonly hasFallback?: boolean
}

/** The part of a quota that a type counts against, and how much of it. */
export interface QuotaClass {
  /** One word, such as a family of types. */
  readonly name: string
  readonly size: number
}

/**
 * How far a lack of capacity reaches. `offering`: no further than the offering. `hardware`: the cloud lacks the
 * hardware, whoever asks, and that closes both markets. `unsold`: the cloud does not sell the offering, or for long has
 * none of it.
 */
export type Reach = 'offering' | 'hardware' | 'unsold'

export interface Refused extends Asked {
  readonly kind: RefusalKind
  /** Left out: the offering. */
  readonly reach?: Reach
}

/**
 * The backoff groups that a refusal closes. Kinds that are not here close none: they concern one machine or its
 * template, or they say nothing about capacity.
 */
export function groupsClosedBy(refused: Refused): readonly string[] {
  const { scope, offering, maxPrice, quota } = refused
  switch (refusals[refused.kind].excludes) {
    case 'offering':
      if (refused.kind === 'price') return [`price ${scope} ${offeringKey(offering)} ${maxPrice}`]
      return [
        ...marketsOf(refused).map((capacityType) => offeringGroup(refused, capacityType)),
        ...(refused.reach === 'unsold' ? [unsoldGroup(refused)] : []),
      ]
    case 'capacityType':
      return [`${quotaGroups(refused)} ${quota.size}`]
    case 'subnet':
    case 'reservation':
    case 'everything':
    case 'nothing':
      return []
  }
}

/** The groups by which what is asked for closes and opens. */
export function ownGroups(asked: Asked): Readonly<Record<'offering' | 'price' | 'quota', string>> {
  const { scope, offering, maxPrice, quota } = asked
  return {
    offering: offeringGroup(asked),
    price: `price ${scope} ${offeringKey(offering)} ${maxPrice}`,
    quota: `${quotaGroups(asked)} ${quota.size}`,
  }
}

/** Names of groups that may hold what did not close them, by all but their last word, which is a price or a size. */
export type KnownGroups = ReadonlyMap<string, readonly string[]>

export const noGroups: KnownGroups = new Map()

export function knownGroups(names: Iterable<string>): KnownGroups {
  return Map.groupBy(
    [...names].filter((name) => mayHoldOthers.test(name)),
    startOf,
  )
}

/** The known groups that hold it. They are looked up: there may be a thousand, and as many offerings to ask for. */
export function groupsHolding(asked: Asked, known: KnownGroups): readonly string[] {
  const { offering, price, quota } = ownGroups(asked)
  const starts = [startOf(price), startOf(quota), unsoldGroup(asked)]
  const others = starts.flatMap((start) => known.get(start) ?? []).filter((name) => holds(name, asked))
  return [...new Set([offering, price, quota, ...others])]
}

const mayHoldOthers = /^(?:price|quota|unsold) /

function startOf(group: string): string {
  return group.startsWith(`${unsold} `) ? group : group.slice(0, group.lastIndexOf(' '))
}

/**
 * Whether a closed group holds a machine that asks for this. Then an instance of this also proves that the group is
 * open: who asks for a size has room for smaller ones, and who pays a price shows that those who pay more get one.
 */
export function holds(group: string, asked: Asked): boolean {
  if (group === offeringGroup(asked)) return true
  if (group === unsoldGroup(asked)) return asked.hasFallback === true
  const size = rest(group, `${quotaGroups(asked)} `)
  if (size !== undefined) return Number(size) <= asked.quota.size
  const price = rest(group, `price ${asked.scope} ${offeringKey(asked.offering)} `)
  return price !== undefined && paysNoMore(asked.maxPrice, price)
}

/** The terms of a group. What is not sold stays closed for as long as a catalogue takes to change, and no longer. */
export function termsOfGroup(group: string, terms: BackoffTerms): BackoffTerms {
  return group.startsWith(`${unsold} `) ? { ...terms, initialMs: unsoldMs, maxMs: unsoldMs } : terms
}

const unsold = 'unsold'
const unsoldMs = 6 * 3_600_000

function offeringGroup(asked: Asked, capacityType: CapacityType = asked.offering.capacityType): string {
  const { scope, offering, constraints } = asked
  const name = `pool ${scope} ${offeringKey({ ...offering, capacityType })}`
  return constraints === '' ? name : `${name} ${constraints}`
}

/** Beside the group of the offering, whose pause is that of machines without fallback. */
function unsoldGroup(asked: Asked): string {
  return `${unsold} ${offeringGroup(asked)}`
}

function quotaGroups({ scope, offering, quota }: Asked): string {
  return `quota ${scope} ${offering.capacityType} ${quota.name}`
}

/** A reservation has hardware of its own. */
function marketsOf({ offering, reach }: Refused): readonly CapacityType[] {
  const isShared = reach === 'hardware' && offering.capacityType !== 'Reserved'
  return isShared ? ['Spot', 'OnDemand'] : [offering.capacityType]
}

function rest(text: string, start: string): string | undefined {
  return text.startsWith(start) ? text.slice(start.length) : undefined
}

/** The bound of the cloud is not known, so it compares with itself alone. */
function paysNoMore(price: string, refused: string): boolean {
  return price === refused || Number(price) <= Number(refused)
}
