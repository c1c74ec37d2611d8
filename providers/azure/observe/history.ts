import { scopeKey, type Scope } from '../../../api/scope.ts'
import type { Instance } from '../../../api/instance.ts'

/** Of machines that no list shows; older ones are dropped beyond it. */
const most = 1_000

/**
 * What was last seen of each machine. Azure leaves the power out of a list now and then, and a list of network
 * interfaces may lag behind: then what was known before still holds.
 */
export class InstanceHistory {
  readonly #listed = new Map<string, ReadonlyMap<string, Instance>>()
  readonly #made = new Map<string, Instance>()
  readonly #ended = new Map<string, Instance>()
  /** The ids for which a whole list had a network interface, by scope. */
  readonly #attached = new Map<string, ReadonlySet<string>>()
  /** What this process has asked for. */
  readonly #asked = new Set<string>()

  of(scope: Scope, id: string): Instance | undefined {
    return this.#listed.get(scopeKey(scope))?.get(id) ?? this.#made.get(id)
  }

  made(instance: Instance): void {
    keep(this.#made, instance)
  }

  /** It was ended by us: nothing comes of its name any more. Azure forgets what was deleted, so we remember it. */
  ended(instance: Instance): void {
    keep(this.#ended, { ...instance, state: 'terminated', addresses: [] })
  }

  endOf(id: string): Instance | undefined {
    return this.#ended.get(id)
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
    this.#asked.delete(id)
    this.#asked.add(id)
    const [oldest] = this.#asked
    if (oldest !== undefined && this.#asked.size > most) this.#asked.delete(oldest)
  }

  /** A whole list; `attached` are the ids of those that have a network interface, whether they are there or not. */
  listed(scope: Scope, instances: readonly Instance[], attached: ReadonlySet<string>): void {
    this.#attached.set(scopeKey(scope), attached)
    this.#listed.set(scopeKey(scope), new Map(instances.map((instance) => [instance.id, instance])))
    for (const { id } of instances) this.#made.delete(id)
  }
}

function keep(known: Map<string, Instance>, instance: Instance): void {
  known.delete(instance.id)
  known.set(instance.id, instance)
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size > most) known.delete(oldest)
}
