import type { Clock, Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { scopeKey, type Scope } from '../../api/scope.ts'
import type { Instance } from '../../api/instance.ts'
import type { InstancePage, InstanceRef, Instances, Launch } from '../../providers/instances.ts'
import type { Metrics } from './metrics.ts'

/** The last complete list of a scope and its time. Before the first list: the time at which its fleet began. */
interface Listed {
  readonly scope: Scope
  readonly at: number
  readonly states: ReadonlyMap<string, number>
}

/** A decorator of the seam that counts calls and instances. Neither side of the seam knows of it. */
export class InstanceMetrics {
  readonly #metrics: Metrics
  readonly #clock: Clock
  readonly #listed = new Map<string, Listed>()

  constructor(metrics: Metrics, { clock }: { clock: Clock }) {
    this.#metrics = metrics
    this.#clock = clock
    metrics.beforeEach(() => this.#show())
  }

  /** The same instances with metrics. */
  of(instances: Instances): Instances {
    return {
      create: (want, ctx) => this.#create(instances, want, ctx),
      find: (which: InstanceRef, ctx) => instances.find(which, ctx),
      list: (scope, ctx, asking) => this.#list(scope, instances.list(scope, ctx, asking)),
      terminate: (which: InstanceRef, ctx) => instances.terminate(which, ctx),
    }
  }

  /** A fleet has begun. The age of its list counts from now on, so that wrong credentials show. */
  follow(scope: Scope): void {
    const key = scopeKey(scope)
    if (!this.#listed.has(key)) this.#listed.set(key, { scope, states: new Map(), at: this.#clock.monotonic() })
  }

  /** The fleet of this scope has ended. Its last list is no longer reported. */
  forget(scope: Scope): void {
    this.#listed.delete(scopeKey(scope))
  }

  async #create(instances: Instances, want: Launch, ctx: Ctx): Promise<Instance> {
    const { cloud } = want.scope
    try {
      const created = await instances.create(want, ctx)
      this.#metrics.count('launches', { cloud, result: 'created' })
      return created
    } catch (thrown) {
      if (thrown instanceof CloudError) this.#metrics.count('launches', { cloud, result: thrown.kind })
      throw thrown
    }
  }

  async *#list(scope: Scope, pages: AsyncIterable<InstancePage>): AsyncGenerator<InstancePage> {
    const states = new Map<string, number>()
    for await (const page of pages) {
      for (const { state } of page.items) states.set(state, (states.get(state) ?? 0) + 1)
      if (page.complete) this.#take({ scope, states, at: this.#clock.monotonic() })
      yield page
    }
  }

  /** Once the account is learnt, what was shown without it is the same list. */
  #take(listed: Listed): void {
    const { account, ...unlearnt } = listed.scope
    if (account !== undefined) this.forget(unlearnt)
    this.#listed.set(scopeKey(listed.scope), listed)
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
