import type { Ctx } from '../../api/ctx.ts'
import type { CloudName, Scope } from '../../api/scope.ts'
import type { Fleets } from '../../providers/fleet/fleets.ts'

/** A storm of strangers' notices must not fill our memory. */
const mostHeld = 10_000

/**
 * If no list has come by then, one is asked for. That is longer than the usual poll interval, so a notice of a stranger
 * costs no call.
 */
const patienceMs = 17_000

/** What became of an instance whose Machine is not known. */
export type Outcome =
  /** An infra machine with this instance has come. */
  | 'known'
  /** A complete list that began later lacks it, or no Machine is in its region. */
  | 'foreign'
  /** Too many are held. */
  | 'dropped'

interface HeldDeps extends Pick<Fleets, 'isForeign' | 'isListed'> {
  /** Whether a machine has an attempt in this region. An attempt is written before its instance is asked for. */
  readonly hasAttempts: (cloud: CloudName, region: string) => boolean
  /** Lists at once. */
  readonly listNow: (cloud: CloudName, region: string) => void
}

interface Held {
  readonly scope: Scope
  /** On the monotonic clock. */
  readonly since: number
  readonly outcome: PromiseWithResolvers<Outcome>
  readonly cancel: () => void
}

/**
 * Instances of which a message spoke, and that no infra machine has. The id of a new instance may not be written yet,
 * so only a list can tell that it is a stranger's. All messages about one instance wait for the same outcome.
 */
export class HeldNotices {
  readonly #deps: HeldDeps
  /** By cloud and id. */
  readonly #held = new Map<string, Held>()

  constructor(deps: HeldDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#held.size
  }

  /** Rejects when the signal of the first message fires. Then all of them come again. */
  async hold(scope: Scope, id: string, { clock, signal }: Ctx): Promise<Outcome> {
    const key = keyOf(scope.cloud, id)
    let held = this.#held.get(key)
    if (!held) {
      if (this.#held.size >= mostHeld) return 'dropped'
      const cancel = clock.after(patienceMs, () => this.#hurry(key, scope))
      held = { scope, since: clock.monotonic(), outcome: Promise.withResolvers(), cancel }
      this.#held.set(key, held)
      const { promise } = held.outcome
      const giveUp = () => this.#take(key)?.outcome.reject(signal.reason)
      signal.addEventListener('abort', giveUp, { once: true })
      promise.finally(() => signal.removeEventListener('abort', giveUp)).catch(() => {})
    }
    return held.outcome.promise
  }

  /** An infra machine has this instance now. */
  arrived(cloud: CloudName, id: string): void {
    this.#end(keyOf(cloud, id), 'known')
  }

  listed(cloud: CloudName, region: string): void {
    for (const [key, { scope, since }] of this.#held) {
      const isConcerned = scope.cloud === cloud && scope.region === region
      if (isConcerned && this.#deps.isForeign(scope, idIn(key), since)) this.#end(key, 'foreign')
    }
  }

  /** No list has come. Where none of our instances can be, none ever comes. */
  #hurry(key: string, scope: Scope): void {
    const { isListed, hasAttempts, listNow } = this.#deps
    const { cloud, region } = scope
    if (!isListed(scope) && !hasAttempts(cloud, region)) this.#end(key, 'foreign')
    else listNow(cloud, region)
  }

  #end(key: string, outcome: Outcome): void {
    this.#take(key)?.outcome.resolve(outcome)
  }

  #take(key: string): Held | undefined {
    const held = this.#held.get(key)
    this.#held.delete(key)
    held?.cancel()
    return held
  }
}

function keyOf(cloud: CloudName, id: string): string {
  return `${cloud} ${id}`
}

function idIn(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}
