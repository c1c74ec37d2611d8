/** Where GCE has nothing to give. What is left out stands for all of its kind. */
export interface CapacityHole {
  readonly instanceType?: string
  readonly zone?: string
  readonly market?: 'spot' | 'on-demand'
  /** In milliseconds of the simulator's clock; left out: until it is given back. */
  readonly until?: number
  /** Refused at once with a 503; left out: accepted, and the operation fails later, as is usual. */
  readonly synchronous?: boolean
}

export interface Offering {
  readonly instanceType: string
  readonly zone: string
  readonly market: 'spot' | 'on-demand'
}

export class Capacity {
  #holes: readonly CapacityHole[] = []

  takeAway(hole: CapacityHole): void {
    this.#holes = [...this.#holes, hole]
  }

  /** Ends every hole that is about this and nothing else; all of them when nothing is said. */
  giveBack({ instanceType, zone, market }: CapacityHole): void {
    this.#holes = this.#holes.filter(
      (hole) =>
        (instanceType !== undefined && hole.instanceType !== instanceType) ||
        (zone !== undefined && hole.zone !== zone) ||
        (market !== undefined && hole.market !== market),
    )
  }

  /** The hole that this falls into. */
  holeFor(offering: Offering, now: number): CapacityHole | undefined {
    return this.#holes.find(
      (hole) =>
        (hole.until === undefined || now < hole.until) &&
        (hole.instanceType === undefined || hole.instanceType === offering.instanceType) &&
        (hole.zone === undefined || hole.zone === offering.zone) &&
        (hole.market === undefined || hole.market === offering.market),
    )
  }

  /** What is missing at this time. */
  missing(now: number): readonly CapacityHole[] {
    return this.#holes.filter(({ until }) => until === undefined || now < until)
  }
}
