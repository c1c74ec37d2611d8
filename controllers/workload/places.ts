/** A caller comes back when it was told to, or a little later: its worker may be busy. */
const lateMs = 2_000

/**
 * The places of callers that were sent away and have to come in time. Without a place, those that happen to come at a
 * better moment overtake them again and again.
 */
export class Places {
  /** By caller, in the order of their first coming: until when the place is kept. */
  readonly #until = new Map<string, number>()
  #wasKept = false

  /**
   * Whether this caller may be next. Between two callers with places, one without a place may come. So neither kind
   * keeps the other waiting for long.
   */
  isNext(caller: string | undefined, now: number): boolean {
    for (const [other, until] of this.#until) if (until <= now) this.#until.delete(other)
    const [first] = this.#until.keys()
    return first === undefined || first === caller || (caller === undefined && this.#wasKept)
  }

  /** Keeps the caller's place until it comes back. Returns when that is: after those before it. */
  keep(caller: string, { now, turnMs, mostMs }: { now: number; turnMs: number; mostMs: number }): number {
    if (!this.#until.has(caller)) this.#until.set(caller, now)
    const before = [...this.#until.keys()].indexOf(caller)
    const backInMs = Math.min(mostMs, (before + 1) * turnMs)
    this.#until.set(caller, now + backInMs + lateMs)
    return backInMs
  }

  /** The turn of a caller has come. */
  leave(caller: string | undefined): void {
    this.#wasKept = caller !== undefined && this.#until.delete(caller)
  }
}
