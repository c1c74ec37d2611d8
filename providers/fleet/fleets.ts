import type { Ctx } from '../../api/ctx.ts'
import { pollKey, polledScope, scopeKey, type Scope } from '../../api/scope.ts'
import type { InstanceReads } from '../instances.ts'
import type { Fleet } from './fleet.ts'
import { Poller } from './poller.ts'

export interface FleetsOptions {
  pollIntervalMs: number
  /** Called with the tag of each machine of the cloud whose instance changed. */
  onChange: (cloud: Scope['cloud'], machine: string) => void
  onBegin?: (scope: Scope) => void
  /** Called when a fleet has ended because nobody used it. */
  onEnd?: (scope: Scope) => void
}

/** How long an unused fleet goes on, so that a user that comes back finds its instances. */
export const unusedForMs = 10 * 60_000

interface Running {
  readonly poller: Poller
  readonly ended: Promise<void>
  readonly stop: AbortController
  /** How many fleets it serves. */
  fleets: number
}

interface Followed {
  readonly fleet: Fleet
  readonly running: Running
  /** Infrastructure clusters and infra machines. */
  readonly users: Set<string>
  cancelEnd: () => void
}

/**
 * One fleet for each scope. It begins with its first user and ends some time after the last user has left. Each user
 * has one scope at a time, so there are never more fleets than infrastructure clusters and machines. Scopes with the
 * same list share one poller.
 */
export class Fleets {
  readonly #options: FleetsOptions
  readonly #ctx: Ctx
  /** By `pollKey`. */
  readonly #pollers = new Map<string, Running>()
  /** By `scopeKey`. */
  readonly #fleets = new Map<string, Followed>()
  /** By user: the key of the fleet that it uses. */
  readonly #used = new Map<string, string>()
  /** Pollers that are ending. */
  readonly #ending = new Set<Promise<void>>()

  /** `ctx` is the life of the fleets, not that of one call. */
  constructor(options: FleetsOptions, ctx: Ctx) {
    this.#options = options
    this.#ctx = ctx
  }

  /** The fleet of this scope. From now on the user uses this fleet and no other. */
  of(scope: Scope, instances: InstanceReads, user: string): Fleet {
    const key = scopeKey(scope)
    const followed = this.#fleets.get(key) ?? this.#follow(scope, instances)
    if (this.#used.get(user) === key) return followed.fleet
    this.leave(user)
    followed.users.add(user)
    followed.cancelEnd()
    this.#used.set(user, key)
    return followed.fleet
  }

  /** The user is gone and uses no fleet any more. */
  leave(user: string): void {
    const key = this.#used.get(user)
    const followed = key === undefined ? undefined : this.#fleets.get(key)
    this.#used.delete(user)
    if (!followed?.users.delete(user) || followed.users.size > 0) return
    followed.cancelEnd()
    followed.cancelEnd = this.#ctx.clock.after(unusedForMs, () => this.#drop(followed))
  }

  /** Resolves when every poller has ended, after the signal. */
  async ended(): Promise<void> {
    for (const { cancelEnd } of this.#fleets.values()) cancelEnd()
    await Promise.all([...this.#ending, ...[...this.#pollers.values()].map(({ ended }) => ended)])
  }

  #follow(scope: Scope, instances: InstanceReads): Followed {
    const running = this.#pollers.get(pollKey(scope)) ?? this.#run(scope, instances)
    running.fleets += 1
    const fleet = running.poller.follow(scope.account)
    const followed = { fleet, running, users: new Set<string>(), cancelEnd: () => {} }
    this.#fleets.set(scopeKey(scope), followed)
    this.#options.onBegin?.(scope)
    return followed
  }

  #run(first: Scope, instances: InstanceReads): Running {
    const { pollIntervalMs, onChange } = this.#options
    const scope = polledScope(first)
    const { cloud } = scope
    const poller = new Poller({ scope, instances, pollIntervalMs, onChange: (machine) => onChange(cloud, machine) })
    poller.follow(first.account)
    const stop = new AbortController()
    const log = this.#ctx.log.with({ scope: pollKey(scope) })
    const signal = AbortSignal.any([this.#ctx.signal, stop.signal])
    const running = { poller, ended: poller.run({ ...this.#ctx, signal, log }), stop, fleets: 0 }
    this.#pollers.set(pollKey(scope), running)
    return running
  }

  #drop({ fleet, running }: Followed): void {
    this.#fleets.delete(scopeKey(fleet.scope))
    running.poller.drop(fleet)
    running.fleets -= 1
    if (running.fleets === 0) this.#stop(fleet.scope, running)
    this.#options.onEnd?.(fleet.scope)
  }

  #stop(scope: Scope, { ended, stop }: Running): void {
    const key = pollKey(scope)
    this.#ctx.log.info('Nobody uses the fleet of this scope any more; it ends', { scope: key })
    this.#pollers.delete(key)
    this.#ending.add(ended)
    void ended.finally(() => this.#ending.delete(ended))
    stop.abort(new Error('The fleet has no users.'))
  }
}
