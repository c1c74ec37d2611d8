import type { Ctx } from '../../api/ctx.ts'
import { scopeKey, type Instances, type Scope } from '../instances.ts'
import { Fleet } from './fleet.ts'

export interface FleetsOptions {
  pollIntervalMs: number
  /** Called with the mark of each machine of the cloud whose instance changed. */
  onChange: (cloud: Scope['cloud'], machine: string) => void
}

/** One fleet a scope, begun when the first machine there asks for it, ended with the program. */
export class Fleets {
  readonly #options: FleetsOptions
  readonly #ctx: Ctx
  #fleets = new Map<string, { fleet: Fleet; ended: Promise<void> }>()

  /** `ctx` is the life of the fleets, not that of one call. */
  constructor(options: FleetsOptions, ctx: Ctx) {
    this.#options = options
    this.#ctx = ctx
  }

  of(scope: Scope, instances: Instances): Fleet {
    const key = scopeKey(scope)
    let begun = this.#fleets.get(key)
    if (!begun) {
      const { pollIntervalMs, onChange } = this.#options
      const fleet = new Fleet({
        scope,
        instances,
        pollIntervalMs,
        onChange: (machine) => onChange(scope.cloud, machine),
      })
      begun = { fleet, ended: fleet.run({ ...this.#ctx, log: this.#ctx.log.with({ scope: key }) }) }
      this.#fleets.set(key, begun)
    }
    return begun.fleet
  }

  /** Resolves when every fleet has ended, after the signal. */
  async ended(): Promise<void> {
    await Promise.all([...this.#fleets.values()].map(({ ended }) => ended))
  }
}
