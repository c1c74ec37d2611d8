import type { Lane } from '../../api/rules/lanes.ts'

/** A lane of which nobody has said anything for so long is of nobody's machines. */
const unusedForMs = 24 * 60 * 60_000

/**
 * What is known of every offering, quota and template that fails, for all Clusters: one account's capacity is one. What
 * stands here stands in annotations too (`api/backoff.ts`); this is the copy that is read.
 */
export class CapacityMemory {
  #lanes: ReadonlyMap<string, Lane> = new Map()
  /** By lane: who waits for it. */
  readonly #waiting = new Map<string, Set<string>>()
  readonly #wake: (waiting: string) => void

  /** `wake` is told of everybody who waits in a lane when that changes, but for the one who changed it. */
  constructor(wake: (waiting: string) => void) {
    this.#wake = wake
  }

  get lanes(): ReadonlyMap<string, Lane> {
    return this.#lanes
  }

  /** What an annotation says; of two that know a lane the one that has seen more wins. */
  absorb(found: ReadonlyMap<string, Lane>): void {
    const lanes = new Map(this.#lanes)
    for (const [name, lane] of found) {
      const known = lanes.get(name)
      if (!known || lane.failedAt > known.failedAt) lanes.set(name, lane)
    }
    this.#lanes = lanes
  }

  /** Nothing may be awaited between reading `lanes` and this: what another has written meanwhile would be lost. */
  keep(lanes: ReadonlyMap<string, Lane>, by: { who: string; waitsIn: ReadonlySet<string>; now: number }): void {
    const before = this.#lanes
    this.#lanes = new Map([...lanes].filter(([, { until }]) => by.now - until < unusedForMs))
    for (const [name, waiting] of this.#waiting) {
      if (before.get(name) === lanes.get(name)) continue
      for (const who of waiting) if (who !== by.who) this.#wake(who)
    }
    this.#note(by)
  }

  #note({ who, waitsIn }: { who: string; waitsIn: ReadonlySet<string> }): void {
    for (const [name, waiting] of this.#waiting) {
      if (!waitsIn.has(name)) waiting.delete(who)
      if (waiting.size === 0) this.#waiting.delete(name)
    }
    for (const name of waitsIn) this.#waiting.set(name, (this.#waiting.get(name) ?? new Set()).add(who))
  }
}
