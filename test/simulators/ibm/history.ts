import type { Instance, InstanceVersion } from './instance.ts'

/** Nothing looks further back: lists are late by seconds, in bad hours by minutes. */
const horizonMs = 15 * 60_000

interface Entry {
  readonly from: number
  readonly version: InstanceVersion
}

/** What one instance looked like from when on. */
export class History {
  readonly instance: Instance
  #entries: readonly [Entry, ...Entry[]]

  constructor(instance: Instance) {
    this.instance = instance
    this.#entries = [{ from: instance.createdAt, version: { ...instance, version: 1 } }]
  }

  get latest(): InstanceVersion {
    return (this.#entries.at(-1) ?? this.#entries[0]).version
  }

  /** The instance has changed. */
  note(now: number): void {
    const next = { from: now, version: { ...this.instance, version: this.latest.version + 1 } }
    const before = this.#entries.filter((_, at) => (this.#entries[at + 1]?.from ?? now) > now - horizonMs)
    const [first, ...others] = [...before, next]
    this.#entries = [first ?? next, ...others]
  }

  /** As it was at that time; as it was created, when it was not there yet. */
  at(moment: number): InstanceVersion {
    return (this.#entries.findLast(({ from }) => from <= moment) ?? this.#entries[0]).version
  }
}
