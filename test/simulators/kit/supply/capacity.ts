/** Where a cloud has nothing to give. What is left out stands for all of its kind. */
export interface CapacityHole {
  readonly instanceType?: string
  readonly zone?: string
  readonly market?: 'spot' | 'on-demand'
  /** In milliseconds of the simulator's clock; left out: until it is given back. */
  readonly until?: number
}

export interface Offering {
  readonly instanceType: string
  /** Undefined: in no zone, which only a hole that names none is about. */
  readonly zone: string | undefined
  readonly market: 'spot' | 'on-demand'
}

/** What there is to give. A cloud's own holes may say besides how a refusal comes. */
export class Capacity<Hole extends CapacityHole = CapacityHole> {
  #holes: readonly Hole[] = []

  takeAway(hole: Hole): void {
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

  has(offering: Offering, now: number): boolean {
    return this.holeFor(offering, now) === undefined
  }

  /** The hole that this falls into. */
  holeFor(offering: Offering, now: number): Hole | undefined {
    return this.missing(now).find(
      (hole) =>
        (hole.instanceType === undefined || hole.instanceType === offering.instanceType) &&
        (hole.zone === undefined || hole.zone === offering.zone) &&
        (hole.market === undefined || hole.market === offering.market),
    )
  }

  /** What is missing at this time. */
  missing(now: number): readonly Hole[] {
    return this.#holes.filter(({ until }) => until === undefined || now < until)
  }
}
