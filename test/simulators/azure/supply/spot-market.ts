import { instanceTypes, type InstanceType } from './instance-types.ts'

/** What spot machines cost now, in dollars an hour. */
export class SpotMarket {
  readonly #prices = new Map(
    instanceTypes.filter(({ hasSpot }) => hasSpot).map(({ name, price }) => [name, price.spot]),
  )

  priceOf({ name }: InstanceType): number {
    return this.#prices.get(name) ?? Infinity
  }

  /** Whether there is a market for this. */
  change(name: string, price: number): boolean {
    if (!this.#prices.has(name)) return false
    this.#prices.set(name, price)
    return true
  }
}
