const rememberedForMs = 24 * 60 * 60_000

/** Instances that no list shows, with the time since when, and instances that were proven gone. */
export class Absences {
  /** By id, or by token where no id is known. */
  readonly #awaited = new Map<string, number>()
  /** By id. It holds until a later list shows the instance all the same: then the reads before were stale. */
  readonly #gone = new Map<string, number>()

  /** How long this id or token has been looked for in vain; the first call begins the wait. */
  waitedForMs(what: string, now: number): number {
    const since = this.#awaited.get(what) ?? now
    this.#awaited.set(what, since)
    return now - since
  }

  found(what: string): void {
    this.#awaited.delete(what)
  }

  /** `asOf`: when the reads that prove it began. */
  gone(id: string, asOf: number): void {
    this.#gone.set(id, asOf)
    this.#awaited.delete(id)
  }

  goneAsOf(id: string): number | undefined {
    return this.#gone.get(id)
  }

  /** A list shows it. Answers whether it had been proven gone. */
  shown(id: string): boolean {
    this.#awaited.delete(id)
    return this.#gone.delete(id)
  }

  /** Forgets what nobody has asked about for a day. A later question looks once more. */
  forgetOld(now: number): void {
    for (const times of [this.#gone, this.#awaited]) {
      for (const [what, since] of times) if (now - since > rememberedForMs) times.delete(what)
    }
  }
}
