import { scopeKey, type Instance, type Scope } from '../instances.ts'

/** Of machines that no list shows; older ones are dropped beyond it. */
const most = 1_000

/**
 * What was last seen of each machine. Azure leaves the power out of a list now and then, and a list of network
 * interfaces may lag behind: then what was known before still holds.
 */
export class Sightings {
  readonly #listed = new Map<string, ReadonlyMap<string, Instance>>()
  readonly #made = new Map<string, Instance>()
  readonly #ended = new Map<string, Instance>()

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

  /** A whole list. */
  listed(scope: Scope, instances: readonly Instance[]): void {
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
