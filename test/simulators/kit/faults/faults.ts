import { isDeepStrictEqual } from 'node:util'
import { Countdown, isMeant } from './countdown.ts'
import type { RecordedRequest } from '../http/journal.ts'

/** A refusal to play back, in the cloud's own words. */
export interface Failure {
  readonly code: string
  readonly message: string
  /** Left out: the status that the cloud uses with this code. */
  readonly status?: number
}

export type HoldPoint =
  /** The call has come; nothing has been done. */
  | 'before'
  /** The call has been done; its answer has not been sent. */
  | 'after'

export interface HoldOptions {
  /**
   * Also holds the same call when its caller makes it again, as clients do that waited too long for the answer. Left
   * out: that one passes.
   */
  readonly repeats?: boolean
}

/** One call that stands still until the test says how it goes on. */
export interface Hold {
  readonly id: string
  readonly action: string
  readonly when: HoldPoint
  /** Resolves when a call has come to the point; never, when none does. */
  readonly reached: Promise<RecordedRequest>
  /**
   * The call goes on, as it would in a cloud, even when its caller is gone by now. Not reached yet: nothing is held.
   */
  release(): void
  /** The caller is cut off. At `before` the call is never done, as if it had been lost on its way. */
  drop(): void
}

interface Held extends Hold {
  readonly arrive: (request: RecordedRequest) => Promise<'go' | 'drop'>
  readonly holdsToo: (request: RecordedRequest, when: HoldPoint) => boolean
}

/** What a test, or a person, wants to go wrong. Knows no cloud: actions and codes are the cloud's own words. */
export class Faults {
  readonly #failures = new Countdown<Failure>()
  readonly #losses = new Countdown<true>()
  readonly #waiting = new Set<Held>()
  readonly #held = new Map<string, Held>()
  #holds = 0

  failNext(action: string, count: number, failure: Failure): void {
    this.#failures.add(action, count, failure)
  }

  loseAnswers(action: string, count: number): void {
    this.#losses.add(action, count, true)
  }

  /** Holds the next call of this action that no earlier hold takes; other calls after that one pass. */
  hold(action: string, when: HoldPoint, { repeats = false }: HoldOptions = {}): Hold {
    this.#holds += 1
    const id = `hold-${this.#holds}`
    const reached = Promise.withResolvers<RecordedRequest>()
    const verdict = Promise.withResolvers<'go' | 'drop'>()
    let first: RecordedRequest | undefined
    const end = (how: 'go' | 'drop') => {
      this.#waiting.delete(held)
      this.#held.delete(id)
      verdict.resolve(how)
    }
    const held: Held = {
      id,
      action,
      when,
      reached: reached.promise,
      release: () => end('go'),
      drop: () => end('drop'),
      arrive: (request) => {
        first ??= request
        reached.resolve(request)
        return verdict.promise
      },
      holdsToo: (request, at) => repeats && at === when && first !== undefined && isRepeat(first, request),
    }
    this.#waiting.add(held)
    this.#held.set(id, held)
    return held
  }

  /** Holds that have not ended, by their id. */
  get holds(): ReadonlyMap<string, Hold> {
    return this.#held
  }

  /** Ends every fault; calls that are held go on. */
  clear(): void {
    this.#failures.clear()
    this.#losses.clear()
    for (const held of this.#held.values()) held.release()
  }

  async pass(request: RecordedRequest, when: HoldPoint): Promise<'go' | 'drop'> {
    const held =
      this.#held.values().find((one) => one.holdsToo(request, when)) ??
      this.#waiting.values().find((one) => one.when === when && isMeant(one.action, request.action))
    if (!held) return 'go'
    this.#waiting.delete(held)
    return held.arrive(request)
  }

  failureFor(action: string): Failure | undefined {
    return this.#failures.take(action)
  }

  losesAnswerOf(action: string): boolean {
    return this.#losses.take(action) !== undefined
  }
}

function isRepeat(first: RecordedRequest, next: RecordedRequest): boolean {
  const isSameCall = first.action === next.action && first.origin === next.origin
  return isSameCall && isDeepStrictEqual(first.params, next.params)
}
