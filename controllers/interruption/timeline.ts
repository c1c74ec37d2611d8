import { timeOf } from '../../api/conditions.ts'
import type { Interruption } from '../../api/interruption.ts'
import type { Milestone } from '../../api/rules/interruption/milestones.ts'

/** The times of one interruption, in seconds from its decision. Undefined: it was passed before this process looked. */
export class Timeline {
  readonly interruption: Interruption
  readonly #passed = new Map<Milestone, number | undefined>()

  constructor(interruption: Interruption) {
    this.interruption = interruption
  }

  has(milestone: Milestone): boolean {
    return this.#passed.has(milestone)
  }

  /** It was passed at an unknown time. */
  skip(milestone: Milestone): void {
    if (!this.has(milestone)) this.#passed.set(milestone, undefined)
  }

  /** The seconds, the first time. What ends before it is drained is not drained. */
  pass(milestone: Milestone, now: number): number | undefined {
    if (this.has(milestone) || (milestone === 'drained' && this.has('off'))) return undefined
    const since = timeOf(this.interruption.at) ?? now
    const seconds = Math.max(0, now - since) / 1000
    this.#passed.set(milestone, seconds)
    return seconds
  }

  /** By milestone. What was not passed, or at an unknown time, is left out. */
  get seconds(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      [...this.#passed].flatMap(([name, seconds]) => (seconds === undefined ? [] : [[name, seconds]])),
    )
  }
}
