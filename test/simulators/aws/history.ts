import type { Instance, InstanceVersion } from './instance.ts'
import type { Tag } from './world.ts'

/** Nothing looks further back: EC2's lists are late by seconds, in bad hours by minutes. */
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
    this.#entries = [{ from: instance.launchedAt, version: { ...instance, version: 1 } }]
  }

  get latest(): InstanceVersion {
    return this.#last.version
  }

  /** The instance has changed. */
  note(now: number): void {
    const last = this.#last
    const next = { from: now, version: { ...this.instance, version: last.version.version + 1 } }
    const before = this.#entries.filter((_, at) => (this.#entries[at + 1]?.from ?? now) > now - horizonMs)
    const [first, ...others] = [...before, next]
    this.#entries = [first ?? next, ...others]
  }

  /** As it was at that time; as it was launched, when it was not there yet. */
  at(moment: number): InstanceVersion {
    return this.#entryAt(moment)?.version ?? this.#entries[0].version
  }

  /** The tags of that time: none before the launch. */
  tagsAt(moment: number): readonly Tag[] {
    return this.#entryAt(moment)?.version.tags ?? []
  }

  get #last(): Entry {
    return this.#entries.at(-1) ?? this.#entries[0]
  }

  #entryAt(moment: number): Entry | undefined {
    return this.#entries.findLast(({ from }) => from <= moment)
  }
}
