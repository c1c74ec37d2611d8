import { scopeKey, type Scope } from '../../../api/scope.ts'
import type { Instance } from '../../../api/instance.ts'
import { EndedInstances } from '../../shared/history.ts'
import { RecentMap } from '../../shared/recent-map.ts'

/** Of machines that no list shows; older ones are dropped beyond it. */
const most = 1_000

/**
 * What was last seen of each machine. Azure leaves the power out of a list now and then, and a list of network
 * interfaces may lag behind: then what was known before still holds.
 */
export class InstanceHistory {
  readonly #listed = new Map<string, ReadonlyMap<string, Instance>>()
  readonly #made = new RecentMap<Instance>(most)
  readonly #ended = new EndedInstances({ most })
  /** The ids for which a whole list had a network interface, by scope. */
  readonly #attached = new Map<string, ReadonlySet<string>>()
  /** What this process has asked for. */
  readonly #asked = new RecentMap<true>(most)

  of(scope: Scope, id: string): Instance | undefined {
    return this.#listed.get(scopeKey(scope))?.get(id) ?? this.#made.get(id)
  }

  made(instance: Instance): void {
    this.#made.set(instance.id, instance)
  }

  /** It was ended by us: nothing comes of its name any more. Azure forgets what was deleted, so we remember it. */
  ended(instance: Instance): void {
    this.#ended.remember(instance.id, { ...instance, addresses: [] })
  }

  endOf(id: string): Instance | undefined {
    return this.#ended.of(id)
  }

  /**
   * Whether nothing of this name can be there: a list of everything has shown none, and this process has not asked for
   * it. What was begun before that list is in it, or was taken up by whoever began it.
   */
  isNew(scope: Scope, id: string): boolean {
    const attached = this.#attached.get(scopeKey(scope))
    return attached !== undefined && !attached.has(id) && !this.#asked.has(id) && this.of(scope, id) === undefined
  }

  asked(id: string): void {
    this.#asked.set(id, true)
  }

  /** A whole list; `attached` are the ids of those that have a network interface, whether they are there or not. */
  listed(scope: Scope, instances: readonly Instance[], attached: ReadonlySet<string>): void {
    this.#attached.set(scopeKey(scope), attached)
    this.#listed.set(scopeKey(scope), new Map(instances.map((instance) => [instance.id, instance])))
    for (const { id } of instances) this.#made.delete(id)
  }
}
