import { instanceTypes, isOfferedIn, type InstanceType } from './instance-types.ts'
import type { World, Zone } from '../world.ts'

export interface PriceChange {
  readonly at: number
  /** Dollars an hour, for Linux. */
  readonly price: number
}

/** The spot price of one type in one zone, from change to change, oldest first. */
export interface PriceSeries {
  readonly type: InstanceType
  readonly zone: Zone
  readonly changes: readonly PriceChange[]
}

const hour = 3_600_000

/** What the price was before, relative to what it is at first. */
const past = [
  { before: 30 * 24 * hour, factor: 1.12 },
  { before: 36 * hour, factor: 0.94 },
  { before: hour / 3, factor: 1 },
] as const

/** The first zone has the price of the catalogue; others are a little dearer. */
const dearer = 0.03

/** What spot instances cost, and have cost in the last weeks. */
export class SpotMarket {
  readonly #series: readonly (PriceSeries & { changes: readonly PriceChange[] })[]

  constructor({ zones }: World, now: number) {
    this.#series = instanceTypes
      .filter(({ usageClasses }) => usageClasses.includes('spot'))
      .flatMap((type) =>
        zones.flatMap((zone, at) => (isOfferedIn(type, zone.name) ? [startOf(type, { zone, at, now })] : [])),
      )
  }

  get series(): readonly PriceSeries[] {
    return this.#series
  }

  /** What an instance costs at least now. */
  price(type: InstanceType, zone: string): number {
    return this.#find(type.name, zone)[0]?.changes.at(-1)?.price ?? type.price.spot
  }

  /** Another price from now on; without a zone: in all. Answers for how many offerings. */
  change(type: string, { zone, price, now }: { zone: string | undefined; price: number; now: number }): number {
    const found = this.#find(type, zone)
    for (const series of found) series.changes = [...series.changes, { at: now, price }]
    return found.length
  }

  #find(type: string, zone: string | undefined) {
    return this.#series.filter((one) => one.type.name === type && (zone === undefined || one.zone.name === zone))
  }
}

function startOf(type: InstanceType, { zone, at, now }: { zone: Zone; at: number; now: number }): PriceSeries {
  const price = type.price.spot * (1 + dearer * at)
  const changes = past.map(({ before, factor }) => ({ at: now - before, price: rounded(price * factor) }))
  return { type, zone, changes }
}

function rounded(price: number): number {
  return Math.round(price * 10_000) / 10_000
}
