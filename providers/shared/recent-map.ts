/** A map that forgets the entries that were set first, beyond `most` of them. */
export class RecentMap<V> extends Map<string, V> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: string, value: V): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.keys()
    if (oldest !== undefined && this.size > this.#most) this.delete(oldest)
    return this
  }
}
