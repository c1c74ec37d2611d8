import type { Instance } from '../../../api/instance.ts'
import { EndedInstances } from '../../shared/history.ts'
import type { Explanation } from './explain.ts'
import type { GcpInstance } from './state.ts'
import { minutes, seconds } from '../../shared/durations.ts'
import { ttlMs } from '../lookups/ttl.ts'

/** For this long every list reads the operations too, because an operation may appear later than its effect. */
const askedOftenMs = 1 * minutes
/** After that, the pause between two reads. */
const pauseMs = 30 * seconds
/** After this they are not read any more. */
const askedForMs = 5 * minutes

/** An instance of ours that is not known to have ended. */
interface Followed {
  readonly instance: GcpInstance
  /** When it was first seen. */
  readonly since: number
}

/** A question about an instance that the list does not answer. */
interface Question {
  readonly since: number
  readonly requestedAt: number
}

/** The facts of a list that decide which instances are missing from it. */
interface Asked {
  readonly begunAt: number
  readonly now: number
  /** Whether the list lacks this zone, or a part of it. */
  readonly isUnreachable: (zone: string) => boolean
}

/**
 * The memory of one project and region between two lists. GCE's list shows the instances that exist. Only operations
 * tell that an insert has failed or that GCE took an instance back. So this remembers which instances existed. The
 * operations are asked only about instances that are missing or have ended.
 */
export class InstanceHistory {
  readonly #followed = new Map<string, Followed>()
  /** Open questions about instances that are shown, and about missing ones. */
  readonly #open = new Map<string, Question>()
  readonly #lost = new Map<string, Question>()
  /** Explanations of instances that are still shown. */
  readonly #explained = new Map<string, Explanation>()
  /** Instances that GCE shows no more. Our lists go on to show them for a while. */
  readonly #ended = new EndedInstances({ forMs: ttlMs.ended })
  readonly #deletes = new Map<string, number>()
  #hasListed = false

  /** Whether there was a complete list. */
  get hasListed(): boolean {
    return this.#hasListed
  }

  /** An instance exists or will exist, by the answer to a create or a look. */
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

  /** GCE itself says that it does not exist any more. */
  gone(id: string): void {
    for (const kept of [this.#followed, this.#open, this.#lost, this.#explained]) kept.delete(id)
    this.#ended.forget(id)
    this.#deletes.delete(id)
  }

  /** The instance, with everything that is known besides. */
  described(instance: Instance, now: number): Instance {
    const explanation = this.#explained.get(instance.id)
    const applies = explanation?.is === 'failed' || hasEnded(instance)
    const known = explanation && applies ? withExplanation(instance, explanation) : instance
    return this.isDeleting(instance.id, now) ? { ...known, state: 'terminating' } : known
  }

  /** Whether operations have to be asked about this instance, which is shown. */
  isOpen(instance: Instance, now: number): boolean {
    const { id, tag, started } = instance
    if (!tag || this.#explained.has(id) || this.isDeleting(id, now)) return false
    const isLate = !started && now - (this.#followed.get(id)?.since ?? now) > askedOftenMs
    return (hasEnded(instance) || isLate) && isDue(this.#open, id, now)
  }

  /**
   * The ids that a list begun at this time should have shown and did not, and about which operations have to be asked.
   */
  missing(shown: ReadonlySet<string>, { begunAt, now, isUnreachable }: Asked): string[] {
    // With a zone missing, the instance may be in that zone.
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

  /** Adds the explanation of the operations to an instance that is shown. */
  explain(instance: Instance, explanation: Explanation | undefined, now: number): Instance {
    const { id } = instance
    if (explanation && explanation.is !== 'coming') {
      this.#open.delete(id)
      this.#explained.set(id, explanation)
    }
    return this.described(instance, now)
  }

  /** The missing instance as its operations explain it; undefined where they prove nothing. */
  explainMissing(id: string, explanation: Explanation | undefined, now: number): Instance | undefined {
    const last = this.#followed.get(id)?.instance
    if (!last || !explanation) return undefined
    if (explanation.is === 'coming') return last
    // Lists may be late: only an operation, or a look at the instance itself, proves that it is gone.
    const isGone = saysGone(explanation, last)
    const state = isGone ? 'terminated' : 'stopping'
    const instance = { ...withExplanation(last, explanation), state } as const
    if (isGone) this.#end(instance, now)
    return instance
  }

  /**
   * Called at the end of a list. Returns the instances that the list no longer shows, so that their ends become known.
   */
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

/** A question that is due counts as asked now: it goes with this list. */
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
