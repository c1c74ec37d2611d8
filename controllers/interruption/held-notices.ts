import type { Ctx } from '../../api/ctx.ts'
import type { CloudName, Scope } from '../../api/scope.ts'
import type { Fleets } from '../../providers/fleet/fleets.ts'

/** A storm of strangers' notices must not fill our memory. That is twice as many as our own largest storm. */
const mostHeld = 2_000

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

/** The instances of one message. They have one timer and one listener: a message may name a thousand. */
interface Waiting {
  readonly scope: Scope
  /** On the monotonic clock. */
  readonly since: number
  readonly ids: readonly string[]
  readonly ended: (id: string, outcome: Outcome) => void
  readonly done: PromiseWithResolvers<void>
  left: number
  /** Ends its timer and its listener. */
  release?: () => void
}

/**
 * Instances of which a message spoke, and that no infra machine has. The id of a new instance may not be written yet,
 * so only a list can tell that it is a stranger's. All messages about one instance wait for the same outcome.
 */
export class HeldNotices {
  readonly #deps: HeldDeps
  /** By cloud and id, in the order in which they came. */
  readonly #held = new Map<string, Waiting[]>()

  constructor(deps: HeldDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#held.size
  }

  /** Calls `ended` once for each of these ids. Rejects when the signal fires. Then the message comes again. */
  hold(scope: Scope, ids: readonly string[], ended: Waiting['ended'], { clock, signal }: Ctx): Promise<void> {
    const done = Promise.withResolvers<void>()
    const waiting: Waiting = { scope, since: clock.monotonic(), ids, ended, done, left: ids.length }
    const before = this.#held.size
    for (const id of ids) this.#add(id, waiting)
    if (waiting.left === 0) return done.promise
    // An instance that another message has named before is hurried by that one.
    const isFirst = this.#held.size > before
    const cancel = isFirst ? clock.after(patienceMs, () => this.#hurry(waiting)) : undefined
    const giveUp = () => {
      waiting.release?.()
      this.#leave(waiting)
      done.reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    waiting.release = () => {
      cancel?.()
      signal.removeEventListener('abort', giveUp)
    }
    return done.promise
  }

  /** An infra machine has this instance now. */
  arrived(cloud: CloudName, id: string): void {
    this.#end(cloud, id, 'known')
  }

  listed(cloud: CloudName, region: string): void {
    for (const [key, [first]] of this.#held) {
      if (first?.scope.cloud !== cloud || first.scope.region !== region) continue
      const id = idIn(key)
      if (this.#deps.isForeign(first.scope, id, first.since)) this.#end(cloud, id, 'foreign')
    }
  }

  #add(id: string, waiting: Waiting): void {
    const key = keyOf(waiting.scope.cloud, id)
    const others = this.#held.get(key)
    if (others) others.push(waiting)
    else if (this.#held.size < mostHeld) this.#held.set(key, [waiting])
    else tell(waiting, id, 'dropped')
  }

  /** No list has come. Where none of our instances can be, none ever comes. */
  #hurry({ scope, ids }: Waiting): void {
    const { isListed, hasAttempts, listNow } = this.#deps
    const { cloud, region } = scope
    if (isListed(scope) || hasAttempts(cloud, region)) listNow(cloud, region)
    else for (const id of ids) this.#end(cloud, id, 'foreign')
  }

  #end(cloud: CloudName, id: string, outcome: Outcome): void {
    const key = keyOf(cloud, id)
    const all = this.#held.get(key) ?? []
    this.#held.delete(key)
    for (const waiting of all) tell(waiting, id, outcome)
  }

  /** Others that wait for the same instance go on. */
  #leave(waiting: Waiting): void {
    for (const id of waiting.ids) {
      const key = keyOf(waiting.scope.cloud, id)
      const all = this.#held.get(key)
      const at = all?.indexOf(waiting) ?? -1
      if (at >= 0) all?.splice(at, 1)
      if (all?.length === 0) this.#held.delete(key)
    }
  }
}

function tell(waiting: Waiting, id: string, outcome: Outcome): void {
  waiting.left -= 1
  waiting.ended(id, outcome)
  if (waiting.left > 0) return
  waiting.release?.()
  waiting.done.resolve()
}

function keyOf(cloud: CloudName, id: string): string {
  return `${cloud} ${id}`
}

function idIn(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}
