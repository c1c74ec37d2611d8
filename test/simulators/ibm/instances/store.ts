import type { Resource } from '../ids.ts'

/** Resources of one kind, in the order in which they came. */
export class Store<T extends Resource> {
  readonly #byId = new Map<string, T>()

  get all(): readonly T[] {
    return [...this.#byId.values()]
  }

  get(id: string): T | undefined {
    return this.#byId.get(id)
  }

  add(item: T): T {
    this.#byId.set(item.id, item)
    return item
  }

  remove({ id }: T): void {
    this.#byId.delete(id)
  }

  hasName(name: string): boolean {
    return this.#byId.values().some((item) => item.name === name)
  }
}
