/** A binary heap that can remove any item, not only the first. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #places = new Map<T, number>()
  readonly #isBefore: (a: T, b: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#items.length
  }

  get first(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    this.#put(item, this.#items.length)
    this.#rise(item)
  }

  /** Returns whether the item was there. */
  remove(item: T): boolean {
    const place = this.#places.get(item)
    const last = this.#items.at(-1)
    if (place === undefined || last === undefined) return false
    this.#items.pop()
    this.#places.delete(item)
    if (last !== item) {
      this.#put(last, place)
      this.#rise(last)
      this.#sink(last)
    }
    return true
  }

  #rise(item: T): void {
    for (let place = this.#place(item); place > 0;) {
      const up = (place - 1) >> 1
      const parent = this.#items[up]
      if (parent === undefined || !this.#isBefore(item, parent)) return
      this.#put(parent, place)
      this.#put(item, up)
      place = up
    }
  }

  #sink(item: T): void {
    for (let place = this.#place(item); ;) {
      let down = 2 * place + 1
      let child = this.#items[down]
      const other = this.#items[down + 1]
      if (child === undefined) return
      if (other !== undefined && this.#isBefore(other, child)) {
        child = other
        down++
      }
      if (!this.#isBefore(child, item)) return
      this.#put(child, place)
      this.#put(item, down)
      place = down
    }
  }

  #place(item: T): number {
    return this.#places.get(item) ?? 0
  }

  #put(item: T, place: number): void {
    this.#items[place] = item
    this.#places.set(item, place)
  }
}
