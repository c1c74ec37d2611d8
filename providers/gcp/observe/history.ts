import type { Instance } from '../../../api/instance.ts'
import { EndedInstances } from '../../shared/history.ts'
import type { Explanation } from './explain.ts'
import type { GcpInstance } from './state.ts'
import { minutes, seconds } from '../../shared/durations.ts'
import { ttlMs } from '../lookups/ttl.ts'

/** So long the operations are asked with every list: an operation may be seen later than what it did. */
const askedOftenMs = 1 * minutes
/** Then they are asked so far apart, */
const pauseMs = 30 * seconds
/** and after this no more: GCE does not tell. */
const askedForMs = 5 * minutes

/** Of ours, and not known to have ended. */
interface Followed {
  readonly instance: GcpInstance
  /** When it was first seen. */
  readonly since: number
}

/** Something that the list of instances does not say. */
interface Question {
  readonly since: number
  readonly requestedAt: number
}

/** A list, as far as it decides what is missing from it. */
interface Asked {
  readonly begunAt: number
  readonly now: number
  /** Whether the list lacks this zone, or a part of it. */
  readonly isUnreachable: (zone: string) => boolean
}

/**
 * What is remembered of one project and region between two lists. GCE's list shows what there is; that an insert has
 * failed, or that GCE took an instance back, stands in operations only. So it is remembered what there was, and the
 * operations are asked about what is missing or has ended, and about nothing else.
 */
export class InstanceHistory {
  readonly #followed = new Map<string, Followed>()
  /** About what is shown, and about what is missing. */
  readonly #open = new Map<string, Question>()
  readonly #lost = new Map<string, Question>()
  /** Of what is still shown. */
  readonly #explained = new Map<string, Explanation>()
  /** What GCE shows no more. Our lists go on to show it for a while. */
  readonly #ended = new EndedInstances({ forMs: ttlMs.ended })
  readonly #deletes = new Map<string, number>()
  #hasListed = false

  /** Whether one list of everything is there. */
  get hasListed(): boolean {
    return this.#hasListed
  }

  /** Something is there, or will be: by the answer to a create or to a look. */
  saw(instance: GcpInstance, now: number): void {
    if (instance.state === 'terminated') this.#end(instance, now)
    else if (instance.tag) this.#follow(instance, now)
  }

  /** A delete of ours was accepted. */
  deletes(id: string, now: number): void {
    this.#deletes.set(id, now)
  }

  isDeleting(id: string, now: number): boolean {
    return now - (this.#deletes.get(id) ?? Number.NEGATIVE_INFINITY) < ttlMs.deleting
  }

  /** It is not there any more, as GCE itself says. */
  gone(id: string): void {
    for (const kept of [this.#followed, this.#open, this.#lost, this.#explained]) kept.delete(id)
    this.#ended.forget(id)
    this.#deletes.delete(id)
  }

  /** With what is known besides of an instance that is shown. */
  described(instance: Instance, now: number): Instance {
    const explanation = this.#explained.get(instance.id)
    const applies = explanation?.is === 'failed' || hasEnded(instance)
    const known = explanation && applies ? withExplanation(instance, explanation) : instance
    return this.isDeleting(instance.id, now) ? { ...known, state: 'terminating' } : known
  }

  /** Whether operations have to be asked about an instance that is shown. */
  isOpen(instance: Instance, now: number): boolean {
    const { id, tag, started } = instance
    if (!tag || this.#explained.has(id) || this.isDeleting(id, now)) return false
    const isLate = !started && now - (this.#followed.get(id)?.since ?? now) > askedOftenMs
    return (hasEnded(instance) || isLate) && isDue(this.#open, id, now)
  }

  /**
   * What a list that was begun at this time should have shown and did not, and about which operations have to be asked.
   */
  missing(shown: ReadonlySet<string>, { begunAt, now, isUnreachable }: Asked): string[] {
    // What is missing from a part of a list may be in the other.
    const isMissing = ([id, { since, instance }]: [string, Followed]) =>
      !shown.has(id) && since <= begunAt && !isUnreachable(instance.zone)
    const lost = [...this.#followed].filter(isMissing)
    return lost
      .map(([id]) => id)
      .filter((id) => {
        if (this.isDeleting(id, now)) return false
        if (isDue(this.#lost, id, now)) return true
        if (isTired(this.#lost, id, now)) this.gone(id)
        return false
      })
  }

  /** What operations say of an instance that is shown. The answer is the instance with that. */
  explain(instance: Instance, explanation: Explanation | undefined, now: number): Instance {
    const { id } = instance
    if (explanation && explanation.is !== 'coming') {
      this.#open.delete(id)
      this.#explained.set(id, explanation)
    }
    return this.described(instance, now)
  }

  /** What operations say of one that is missing; undefined where that proves nothing. */
  explainMissing(id: string, explanation: Explanation | undefined, now: number): Instance | undefined {
    const last = this.#followed.get(id)?.instance
    if (!last || !explanation) return undefined
    if (explanation.is === 'coming') return last
    // Lists may lag behind: that an instance is no longer there takes an operation that says so, or a look at itself.
    const isGone = saysGone(explanation, last)
    const state = isGone ? 'terminated' : 'stopping'
    const instance = { ...withExplanation(last, explanation), state } as const
    if (isGone) this.#end(instance, now)
    return instance
  }

  /** A list has come to its end. The answer: what it no longer shows, for those who have not heard of it yet. */
  listed(shown: ReadonlyMap<string, GcpInstance>, { isWhole, now }: { isWhole: boolean; now: number }): Instance[] {
    this.#hasListed ||= isWhole
    for (const instance of shown.values()) {
      this.#ended.forget(instance.id)
      this.#lost.delete(instance.id)
      if (instance.state === 'running') {
        this.#open.delete(instance.id)
        this.#explained.delete(instance.id)
      }
      if (instance.tag) this.#follow(instance, now)
    }
    for (const [id, at] of this.#deletes) if (now - at > ttlMs.ended) this.#deletes.delete(id)
    return this.#ended.all(now)
  }

  #follow(instance: GcpInstance, now: number): void {
    this.#followed.set(instance.id, { instance, since: this.#followed.get(instance.id)?.since ?? now })
  }

  #end(instance: Instance, now: number): void {
    this.gone(instance.id)
    this.#ended.remember(instance.id, instance, now)
  }
}

/** Asking counts as asked: it is asked with this list. */
function isDue(questions: Map<string, Question>, id: string, now: number): boolean {
  const { since, requestedAt } = questions.get(id) ?? { since: now, requestedAt: Number.NEGATIVE_INFINITY }
  const age = now - since
  if (age > askedForMs || (age > askedOftenMs && now - requestedAt < pauseMs)) return false
  questions.set(id, { since, requestedAt: now })
  return true
}

function isTired(questions: ReadonlyMap<string, Question>, id: string, now: number): boolean {
  return now - (questions.get(id)?.since ?? now) > askedForMs
}

function saysGone(explanation: Explanation, { isDeletedWhenPreempted }: GcpInstance): boolean {
  if (explanation.is !== 'ended') return explanation.is === 'failed'
  return explanation.how === 'deleted' || (explanation.interrupted && isDeletedWhenPreempted)
}

function hasEnded({ state }: Instance): boolean {
  return state === 'stopping' || state === 'stopped'
}

function withExplanation(instance: Instance, explanation: Explanation): Instance {
  switch (explanation.is) {
    case 'coming':
      return instance
    case 'failed':
      return {
        ...instance,
        state: instance.state === 'pending' ? 'stopped' : instance.state,
        failure: explanation.failure,
      }
    case 'ended': {
      const { reason, interrupted, how } = explanation
      const isDeleting = how !== 'stopped'
      return {
        ...instance,
        reason,
        ...(isDeleting ? { state: 'terminating' } : {}),
        ...(interrupted ? { interrupted } : {}),
      }
    }
  }
}
