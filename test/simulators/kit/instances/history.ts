/** Nothing looks further back: lists are late by seconds, in bad hours by minutes. */
export const horizonMs = 15 * 60_000

/** What something looked like at some time; it never changes again. */
export type Version<T> = Readonly<T> & {
  /** Grows with every change. */
  readonly version: number
}

interface Entry<T> {
  readonly from: number
  readonly version: Version<T>
}

/** What one instance looked like from when on. */
export class History<T extends object> {
  readonly instance: T
  readonly madeAt: number
  #entries: readonly [Entry<T>, ...Entry<T>[]]

  constructor(instance: T, now: number) {
    this.instance = instance
    this.madeAt = now
    this.#entries = [{ from: now, version: { ...instance, version: 1 } }]
  }

  get latest(): Version<T> {
    return (this.#entries.at(-1) ?? this.#entries[0]).version
  }

  /** The instance has changed. */
  note(now: number): void {
    const next = { from: now, version: { ...this.instance, version: this.latest.version + 1 } }
    const before = this.#entries.filter((_, at) => (this.#entries[at + 1]?.from ?? now) > now - horizonMs)
    const [first, ...others] = [...before, next]
    this.#entries = [first ?? next, ...others]
  }

  /** As it was at that time; as it was at first, when it was not there yet. */
  at(moment: number): Version<T> {
    return this.known(moment) ?? this.#entries[0].version
  }

  /** As it was at that time; undefined when it was not there yet. */
  known(moment: number): Version<T> | undefined {
    return this.#entries.findLast(({ from }) => from <= moment)?.version
  }
}
