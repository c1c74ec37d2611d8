import type { Clock } from '../../api/ctx.ts'
import type { InstanceState } from '../../api/instance.ts'
import { scopeKey, type CloudName, type Scope } from '../../api/scope.ts'
import type { Counts } from '../../providers/decorators/counted.ts'
import type { Metrics } from './metrics.ts'

/** The last complete list of a scope and its time. Before the first list: the time at which its fleet began. */
interface Listed {
  readonly scope: Scope
  readonly at: number
  readonly states: ReadonlyMap<InstanceState, number>
}

/** The instances of all clouds, as `counted` sees them, in the metrics. */
export class InstanceMetrics implements Counts {
  readonly #metrics: Metrics
  readonly #clock: Clock
  readonly #listed = new Map<string, Listed>()

  constructor(metrics: Metrics, { clock }: { clock: Clock }) {
    this.#metrics = metrics
    this.#clock = clock
    metrics.beforeEach(() => this.#show())
  }

  launched(cloud: CloudName, result: string): void {
    this.#metrics.count('launches', { cloud, result })
  }

  /** A fleet has begun. The age of its list counts from now on, so that wrong credentials show. */
  follow(scope: Scope): void {
    const key = scopeKey(scope)
    if (!this.#listed.has(key)) this.#listed.set(key, { scope, states: new Map(), at: this.#clock.monotonic() })
  }

  /** Once the account is learnt, this list replaces the list without an account, which was the same. */
  listed(scope: Scope, states: ReadonlyMap<InstanceState, number>): void {
    const { account, ...unlearnt } = scope
    if (account !== undefined) this.forget(unlearnt)
    this.#listed.set(scopeKey(scope), { scope, states, at: this.#clock.monotonic() })
  }

  /** The fleet of this scope has ended. Its last list is no longer reported. */
  forget(scope: Scope): void {
    this.#listed.delete(scopeKey(scope))
  }

  #show(): void {
    this.#metrics.reset('instances')
    this.#metrics.reset('fleetListAge')
    for (const { scope, states, at } of this.#listed.values()) {
      const { cloud, identity, account = '', region } = scope
      const where = { cloud, identity, account, region }
      for (const [state, count] of states) this.#metrics.set('instances', { ...where, state }, count)
      const age = (this.#clock.monotonic() - at) / 1000
      this.#metrics.set('fleetListAge', where, age)
    }
  }
}
