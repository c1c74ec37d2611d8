import { timeOf } from '../../api/conditions.ts'
import type { Interruption } from '../../api/interruption.ts'
import { milestonesOf, type Milestone } from '../../api/rules/interruption/milestones.ts'

/** The times of one interruption, in seconds from its decision. Undefined: it was passed before this process looked. */
export class Timeline {
  #interruption: Interruption
  readonly #passed = new Map<Milestone, number | undefined>()

  /** `before`: an earlier decision about the same Machine, whose milestones are no result of this one. */
  constructor(interruption: Interruption, before?: Timeline) {
    this.#interruption = interruption
    const passed = before ? before.#passed.keys() : []
    for (const milestone of passed) if (milestone !== 'recorded') this.skip(milestone)
  }

  get interruption(): Interruption {
    return this.#interruption
  }

  /** Whether this is what stands on the Machine now. Its deadline may have come nearer. */
  follows(interruption: Interruption): boolean {
    const { at, act, instance } = this.#interruption
    const isSame = at === interruption.at && act === interruption.act && instance === interruption.instance
    if (isSame) this.#interruption = interruption
    return isSame
  }

  has(milestone: Milestone): boolean {
    return this.#passed.has(milestone)
  }

  /** It was passed at an unknown time. */
  skip(milestone: Milestone): void {
    if (!this.has(milestone)) this.#passed.set(milestone, undefined)
  }

  /** From the notice to the decision. The last one counts. */
  recorded(seconds: number): void {
    this.#passed.set('recorded', seconds)
  }

  /** The seconds, the first time. What ends before it is drained is not drained. */
  pass(milestone: Milestone, now: number): number | undefined {
    if (this.has(milestone) || (milestone === 'drained' && this.has('off'))) return undefined
    if (!milestonesOf(this.#interruption).has(milestone)) return undefined
    const since = timeOf(this.#interruption.at) ?? now
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
