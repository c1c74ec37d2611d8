import type { Machine } from '../../api/machine.ts'
import type { CapacityType } from '../../api/offering.ts'
import { holds, type Asked } from '../../api/rules/capacity/what-closes.ts'
import type { LaunchFacts } from '../../api/rules/outcome.ts'
import type { Waiter } from './memory.ts'

/** A machine that wants to ask for an offering. */
export interface Asking {
  /** `namespace/name` of the Machine. */
  readonly key: string
  readonly machine: Machine
  /** The key of its Cluster. */
  readonly cluster: string
  readonly asked: Asked
  /** Requeues it. */
  readonly wake: () => void
}

/** It is about to ask, or has asked and its attempt is not shown yet; or it waits for its turn. */
export interface Standing {
  readonly is: LaunchFacts['is']
  readonly asking: Asking
  /** What else it could ask for, while it waits. */
  readonly others?: readonly Asking[]
  /** While it waits: when it looks again by itself. */
  readonly until?: number
  /** It waits for that time alone: no turn is to come. */
  readonly isTimed?: boolean
  /** While it waits, with `distribution`: the market as which its siblings count it. */
  readonly market?: CapacityType
  readonly waiter: Waiter
  readonly owner: string
  readonly at: number
}

/** A turn of one of these wakes it. For the others it looks again at `until`: a spec may name thousands. */
export const mostOthers = 128

/** What a machine has to know to wait. */
export interface ToWait extends Pick<Standing, 'asking' | 'others' | 'isTimed' | 'market'> {
  readonly until: number
}

/**
 * What machines are about to ask for: a map by machine, so that none counts twice. A claim needs no write. Before the
 * attempt nothing was asked, and after it the attempt tells.
 */
export class Claims {
  readonly #standings = new Map<string, Standing>()
  /** Those of them that are about to ask. In a drought they are few, and each look of a machine reads all. */
  readonly #claimed = new Map<string, Standing>()

  of(machine: string): Standing | undefined {
    return this.#standings.get(machine)
  }

  set(standing: Standing): void {
    const { key } = standing.asking
    this.#standings.set(key, standing)
    if (standing.is === 'claimed') this.#claimed.set(key, standing)
    else this.#claimed.delete(key)
  }

  end(machine: string): void {
    this.#standings.delete(machine)
    this.#claimed.delete(machine)
  }

  in(cluster: string): Standing[] {
    return [...this.#standings.values()].filter(({ waiter }) => waiter.cluster === cluster)
  }

  /** The newest claim of anybody else in this group. */
  newestOfOthers(group: string, cluster: string): number | undefined {
    const others = [...this.#claimed.values()].filter(
      ({ waiter, asking }) => waiter.cluster !== cluster && holds(group, asking.asked),
    )
    return others.length === 0 ? undefined : Math.max(...others.map(({ at }) => at))
  }
}
