/** Where a cloud has little or nothing to give. What is left out stands for all of its kind. */
export interface CapacityHole {
  readonly instanceType?: string
  readonly zone?: string
  readonly market?: 'spot' | 'on-demand'
  /** How many there may be of it at a time; left out: none more, whatever there is. */
  readonly pieces?: number
  /** In milliseconds of the simulator's clock; left out: until it is given back. */
  readonly until?: number
}

export interface Offering {
  readonly instanceType: string
  /** Undefined: in no zone, which only a hole that names none is about. */
  readonly zone: string | undefined
  readonly market: 'spot' | 'on-demand'
}

/** What an instance takes of the capacity. */
export interface Holding {
  readonly instance: object
  readonly offering: Offering
}

/** What there is to give. A cloud's own holes may say besides how a refusal comes. */
export class Capacity<Hole extends CapacityHole = CapacityHole> {
  readonly #holdings: () => Iterable<Holding>
  readonly #refused = new WeakSet<object>()
  readonly #refusedNames: string[] = []
  #holes: readonly Hole[] = []

  /** `holdings`: of all instances that are not stopped or gone. What is used is counted, never kept. */
  constructor(holdings: () => Iterable<Holding>) {
    this.#holdings = holdings
  }

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

  /** This instance was accepted and will be refused: it holds nothing, though it is still shown. */
  refuse(instance: object, name: string): void {
    this.#refused.add(instance)
    this.#refusedNames.push(name)
  }

  /** Of all instances that were accepted and then refused. */
  get refusedNames(): readonly string[] {
    return this.#refusedNames
  }

  has(offering: Offering, now: number): boolean {
    return this.holeFor(offering, now) === undefined
  }

  /** How many more there are of this. */
  room(offering: Offering, now: number): number {
    return Math.min(Infinity, ...this.#holesOf(offering, now).map((hole) => this.#left(hole)))
  }

  /** The hole that this falls into. */
  holeFor(offering: Offering, now: number): Hole | undefined {
    return this.#holesOf(offering, now).find((hole) => this.#left(hole) === 0)
  }

  /** What is missing at this time. */
  missing(now: number): readonly Hole[] {
    return this.#holes.filter(({ until }) => until === undefined || now < until)
  }

  #holesOf(offering: Offering, now: number): readonly Hole[] {
    return this.missing(now).filter((hole) => isAbout(hole, offering))
  }

  #left(hole: Hole): number {
    if (hole.pieces === undefined) return 0
    let held = 0
    for (const { instance, offering } of this.#holdings()) {
      if (!this.#refused.has(instance) && isAbout(hole, offering)) held++
    }
    return Math.max(0, hole.pieces - held)
  }
}

function isAbout({ instanceType, zone, market }: CapacityHole, offering: Offering): boolean {
  return (
    (instanceType === undefined || instanceType === offering.instanceType) &&
    (zone === undefined || zone === offering.zone) &&
    (market === undefined || market === offering.market)
  )
}
