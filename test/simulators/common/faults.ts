import type { RecordedRequest } from './journal.ts'

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

/** One call that stands still until the test says how it goes on. */
export interface Hold {
  readonly id: string
  readonly action: string
  readonly when: HoldPoint
  /** Resolves when a call has come to the point; never, when none does. */
  readonly reached: Promise<RecordedRequest>
  /** The call goes on, as it would in a cloud, even when its caller is gone by now. Not reached yet: nothing is held. */
  release(): void
  /** The caller is cut off. At `before` the call is never done, as if it had been lost on its way. */
  drop(): void
}

interface Held extends Hold {
  readonly arrive: (request: RecordedRequest) => Promise<'go' | 'drop'>
}

/** Matches every action. */
export const anyAction = '*'

/** What a test, or a person, wants to go wrong. Knows no cloud: actions and codes are the cloud's own words. */
export class Faults {
  readonly #failures: { action: string; left: number; failure: Failure }[] = []
  readonly #losses: { action: string; left: number }[] = []
  readonly #waiting: Held[] = []
  readonly #held = new Map<string, Held>()
  #holds = 0

  failNext(action: string, count: number, failure: Failure): void {
    this.#failures.push({ action, left: count, failure })
  }

  loseAnswers(action: string, count: number): void {
    this.#losses.push({ action, left: count })
  }

  /** Holds the next call of this action that no earlier hold takes; calls after that one pass. */
  hold(action: string, when: HoldPoint): Hold {
    this.#holds += 1
    const id = `hold-${this.#holds}`
    const reached = Promise.withResolvers<RecordedRequest>()
    const verdict = Promise.withResolvers<'go' | 'drop'>()
    const end = (how: 'go' | 'drop') => {
      remove(this.#waiting, held)
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
        reached.resolve(request)
        return verdict.promise
      },
    }
    this.#waiting.push(held)
    this.#held.set(id, held)
    return held
  }

  /** Holds that have not ended, by their id. */
  get holds(): ReadonlyMap<string, Hold> {
    return this.#held
  }

  /** Ends every fault; calls that are held go on. */
  clear(): void {
    this.#failures.length = 0
    this.#losses.length = 0
    for (const held of this.#held.values()) held.release()
  }

  async pass(request: RecordedRequest, when: HoldPoint): Promise<'go' | 'drop'> {
    const held = this.#waiting.find((one) => one.when === when && matches(one.action, request.action))
    if (!held) return 'go'
    remove(this.#waiting, held)
    return held.arrive(request)
  }

  failureFor(action: string): Failure | undefined {
    return take(this.#failures, action)?.failure
  }

  losesAnswerOf(action: string): boolean {
    return take(this.#losses, action) !== undefined
  }
}

function matches(pattern: string, action: string): boolean {
  return pattern === anyAction || pattern === action
}

function take<T extends { action: string; left: number }>(list: T[], action: string): T | undefined {
  const found = list.find((one) => matches(one.action, action))
  if (!found) return undefined
  found.left -= 1
  if (found.left <= 0) remove(list, found)
  return found
}

function remove<T>(list: T[], one: T): void {
  const at = list.indexOf(one)
  if (at >= 0) list.splice(at, 1)
}
