import type { InfraMachine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { findCondition, type ConditionStatus } from '../../api/conditions.ts'
import { createCache } from '../../controllers/runtime/cache/cache.ts'
import type { Lab } from '../lab/lab.ts'

const patienceMs = 120_000

/** The time when each machine was created and when it was Ready, by the clock of the bench. */
export class ReadyWatch {
  readonly madeAt = new Map<string, number>()
  readonly readyAt = new Map<string, number>()
  readonly #lab: Lab
  #arrived: (() => void) | undefined
  #firstMadeAt: number | undefined

  /** `wanted`: the status of the condition Ready. */
  constructor(lab: Lab, { resource, namespace, wanted = 'True' }: Watched) {
    this.#lab = lab
    const cache = createCache<Seen>({ client: lab.client, resource, namespace, project })
    cache.onChange(({ after }) => {
      const name = after?.metadata.name
      if (name === undefined || after?.ready !== wanted || this.readyAt.has(name)) return
      this.readyAt.set(name, lab.ctx.clock.monotonic())
      this.#arrived?.()
    })
    void cache.run(lab.ctx)
  }

  made(name: string): void {
    this.#firstMadeAt ??= this.#lab.ctx.clock.now()
    this.madeAt.set(name, this.#lab.ctx.clock.monotonic())
  }

  /** Waits until this many are Ready. Gives up if there is no new one for a long time. */
  async until(count: number): Promise<void> {
    while (this.readyAt.size < count) {
      const seen = this.readyAt.size
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#arrived = resolve
      const cancel = this.#lab.ctx.clock.after(patienceMs, resolve)
      await promise
      cancel()
      if (this.readyAt.size > seen) continue
      throw new Error(
        `Only ${seen} of ${count} machines became Ready. The manager's last words:\n${this.#lab.manager.logs().slice(-2000)}`,
      )
    }
  }

  /** From the first creation to a time of day, in milliseconds since the epoch. */
  secondsUntil(at = 0): number {
    return (at - (this.#firstMadeAt ?? at)) / 1000
  }

  /** Milliseconds from creation to Ready, ascending. */
  times(): number[] {
    return [...this.readyAt].map(([name, at]) => at - (this.madeAt.get(name) ?? at)).toSorted((a, b) => a - b)
  }

  /** From the first creation to the last Ready. */
  get spanMs(): number {
    return Math.max(...this.readyAt.values()) - Math.min(...this.madeAt.values())
  }
}

interface Watched {
  readonly resource: Resource
  readonly namespace: string
  readonly wanted?: ConditionStatus
}

interface Seen extends KubeObject {
  ready: ConditionStatus | undefined
}

function project(raw: KubeObject): Seen {
  const { metadata, status } = raw as InfraMachine
  const { name, namespace, resourceVersion = '' } = metadata
  return {
    metadata: { name, namespace, resourceVersion },
    ready: findCondition(status?.conditions, 'Ready')?.status,
  }
}

/** The value of an ascending list that `share` of all do not exceed. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? 0
}
