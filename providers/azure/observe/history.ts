import { scopeKey, type Scope } from '../../../api/scope.ts'
import type { Instance } from '../../../api/instance.ts'
import { EndedInstances } from '../../shared/history.ts'
import { RecentMap } from '../../shared/recent-map.ts'

/** So many machines are remembered that no list shows. */
const most = 1_000

/**
 * The last view of each machine. Azure sometimes leaves the power out of a list, and a list of network interfaces may
 * be late: then the earlier view still holds.
 */
export class InstanceHistory {
  readonly #listed = new Map<string, ReadonlyMap<string, Instance>>()
  readonly #made = new RecentMap<Instance>(most)
  readonly #ended = new EndedInstances({ most })
  /** The ids for which a whole list had a network interface, by scope. */
  readonly #attached = new Map<string, ReadonlySet<string>>()
  /** The ids that this process has asked for. */
  readonly #asked = new RecentMap<true>(most)

  of(scope: Scope, id: string): Instance | undefined {
    return this.#listed.get(scopeKey(scope))?.get(id) ?? this.#made.get(id)
  }

  made(instance: Instance): void {
    this.#made.set(instance.id, instance)
  }

  /** We ended it, so no machine of its name follows. Azure forgets deleted machines, so they are remembered here. */
  ended(instance: Instance): void {
    this.#ended.remember(instance.id, { ...instance, addresses: [] })
  }

  endOf(id: string): Instance | undefined {
    return this.#ended.of(id)
  }

  /**
   * Whether nothing of this name can exist: a complete list has shown none, and this process has not asked for it. A
   * call of another process that began before that list is in the list, or that process goes on with it.
   */
  isNew(scope: Scope, id: string): boolean {
    const attached = this.#attached.get(scopeKey(scope))
    return attached !== undefined && !attached.has(id) && !this.#asked.has(id) && this.of(scope, id) === undefined
  }

  asked(id: string): void {
    this.#asked.set(id, true)
  }

  /** A complete list. `attached`: the ids of machines that have a network interface, whether they exist or not. */
  listed(scope: Scope, instances: readonly Instance[], attached: ReadonlySet<string>): void {
    this.#attached.set(scopeKey(scope), attached)
    this.#listed.set(scopeKey(scope), new Map(instances.map((instance) => [instance.id, instance])))
    for (const { id } of instances) this.#made.delete(id)
  }
}
