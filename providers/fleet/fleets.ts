import type { Ctx } from '../../api/ctx.ts'
import { scopeKey, type Scope } from '../../api/scope.ts'
import type { Instances } from '../instances.ts'
import { Fleet } from './fleet.ts'

export interface FleetsOptions {
  pollIntervalMs: number
  /** Called with the tag of each machine of the cloud whose instance changed. */
  onChange: (cloud: Scope['cloud'], machine: string) => void
  /** Called when a fleet has ended because nobody used it. */
  onEnd?: (scope: Scope) => void
}

/** A fleet that nobody uses goes on for so long: whoever comes back finds what it knows. */
export const unusedForMs = 10 * 60_000

/**
 * One that its last user has left for another ends soon: once the account of a scope is learnt, two fleets would list
 * the same account side by side.
 */
export const movedForMs = 2_000

interface Begun {
  readonly fleet: Fleet
  readonly ended: Promise<void>
  /** Infrastructure clusters and infra machines. */
  readonly users: Set<string>
  readonly end: () => void
  cancelEnd: () => void
}

/**
 * One fleet a scope, begun when its first user asks for it, ended some time after the last has left it. Each user has
 * one scope at a time, so there are never more fleets than infrastructure clusters and machines.
 */
export class Fleets {
  readonly #options: FleetsOptions
  readonly #ctx: Ctx
  readonly #fleets = new Map<string, Begun>()
  /** By user: the key of the fleet that it uses. */
  readonly #used = new Map<string, string>()
  /** Those that were told to end and have not yet. */
  readonly #ending = new Set<Promise<void>>()

  /** `ctx` is the life of the fleets, not that of one call. */
  constructor(options: FleetsOptions, ctx: Ctx) {
    this.#options = options
    this.#ctx = ctx
  }

  /** The fleet of this scope, which from now on is the one that this user uses. */
  of(scope: Scope, instances: Instances, user: string): Fleet {
    const key = scopeKey(scope)
    const begun = this.#fleets.get(key) ?? this.#begin(key, { scope, instances })
    if (this.#used.get(user) === key) return begun.fleet
    this.#leave(user, movedForMs)
    this.#used.set(user, key)
    begun.users.add(user)
    begun.cancelEnd()
    return begun.fleet
  }

  /** The user is gone, and uses none any more. */
  leave(user: string): void {
    this.#leave(user, unusedForMs)
  }

  #leave(user: string, endsInMs: number): void {
    const key = this.#used.get(user)
    const begun = key === undefined ? undefined : this.#fleets.get(key)
    this.#used.delete(user)
    if (!begun?.users.delete(user) || begun.users.size > 0) return
    begun.cancelEnd()
    begun.cancelEnd = this.#ctx.clock.after(endsInMs, begun.end)
  }

  /** Resolves when every fleet has ended, after the signal. */
  async ended(): Promise<void> {
    for (const { cancelEnd } of this.#fleets.values()) cancelEnd()
    await Promise.all([...this.#ending, ...[...this.#fleets.values()].map(({ ended }) => ended)])
  }

  #begin(key: string, { scope, instances }: { scope: Scope; instances: Instances }): Begun {
    const { pollIntervalMs, onChange, onEnd } = this.#options
    const { cloud } = scope
    const fleet = new Fleet({ scope, instances, pollIntervalMs, onChange: (machine) => onChange(cloud, machine) })
    const stop = new AbortController()
    const log = this.#ctx.log.with({ scope: key })
    const signal = AbortSignal.any([this.#ctx.signal, stop.signal])
    const ended = fleet.run({ ...this.#ctx, signal, log })
    const end = () => {
      log.info('Nobody uses this fleet any more; it ends')
      this.#fleets.delete(key)
      this.#ending.add(ended)
      void ended.finally(() => this.#ending.delete(ended))
      stop.abort(new Error('The fleet has no users.'))
      onEnd?.(scope)
    }
    const begun = { fleet, ended, users: new Set<string>(), end, cancelEnd: () => {} }
    this.#fleets.set(key, begun)
    return begun
  }
}
