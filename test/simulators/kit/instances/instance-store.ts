import type { Clock } from '../../../../api/ctx.ts'
import { History, type Version } from './history.ts'

/** All instances of an account, as they are and as they were. */
export abstract class InstanceStore<T extends { readonly id: string }> {
  protected readonly clock: Clock
  readonly #byId = new Map<string, History<T>>()
  #forgotAt = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Whether lists show an instance that looks like this. */
  abstract isShown(version: Readonly<T>): boolean

  /** What there is to see, in the order in which it was made. */
  visible(): readonly Version<T>[] {
    const visible: Version<T>[] = []
    for (const { latest } of this.#byId.values()) if (this.isShown(latest)) visible.push(latest)
    return visible
  }

  /** Everything not yet forgotten, what is over too. */
  histories(): IteratorObject<History<T>> {
    return this.#byId.values()
  }

  history(id: string): History<T> | undefined {
    return this.#byId.get(id)
  }

  /** As it is now. */
  shown({ id }: Readonly<T>): Version<T> {
    const history = this.#byId.get(id)
    if (!history) throw new Error(`Instance ${id} is not of this account`)
    return history.latest
  }

  /** To be called after each change of an instance. */
  note({ id }: T): void {
    this.#byId.get(id)?.note(this.clock.now())
  }

  protected add(instance: T): void {
    this.#byId.set(instance.id, new History(instance, this.clock.now()))
  }

  /** Now and then, so that a simulator that runs for days does not grow for days. Answers with what is forgotten. */
  protected forget(isOver: (instance: T) => boolean): readonly T[] {
    const now = this.clock.now()
    if (now - this.#forgotAt < 60_000) return []
    this.#forgotAt = now
    const over = this.histories()
      .map(({ instance }) => instance)
      .filter(isOver)
      .toArray()
    for (const { id } of over) this.#byId.delete(id)
    return over
  }
}
