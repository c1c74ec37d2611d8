import type { Machine } from '../../../api/machine.ts'
import type { AheadNow } from '../../../api/rules/interruption/turn.ts'
import type { Cache } from '../../runtime/cache/cache.ts'
import type { OwnWrites } from '../../runtime/cache/own-writes.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import { ownerKeyOf, plannedAhead } from './owner-keys.ts'

interface Known {
  /** With the index `ahead`. */
  readonly machines: Cache<Machine>
  readonly ownWrites: OwnWrites
}

interface Begun {
  readonly uid: string | undefined
  readonly isPlanned: boolean
  /** On the monotonic clock. */
  readonly at: number
  /** The API server has confirmed the write. */
  readonly isSure: boolean
}

/** After this time a write without an answer has arrived, and the cache shows it, or it never will. */
const doubtfulForMs = 60_000

/**
 * The replacements ahead that each owner has begun, as the cache shows them and as we have just decided them. Two
 * Machines are decided at the same time, and a cache is late. Without this, both would have the only turn.
 */
export class ReplacementsAhead {
  readonly #known: Known
  /** By owner, then by Machine: those that the cache may not show yet. */
  readonly #begun = new Map<string, Map<string, Begun>>()

  constructor(known: Known) {
    this.#known = known
  }

  /** What its owner has begun with other Machines. */
  beside(machine: Machine, nowMs: number): AheadNow {
    const owner = ownerKeyOf(machine)
    const others = new Map<string, boolean>()
    for (const other of this.#known.machines.by('ahead', owner)) {
      const planned = plannedAhead(other)
      if (planned !== undefined) others.set(keyOf(other), planned)
    }
    for (const [key, begun] of this.#stillBegun(owner, nowMs)) others.set(key, begun.isPlanned)
    others.delete(keyOf(machine))
    return { count: others.size, isBusy: [...others.values()].includes(true) }
  }

  /** It is about to be written. */
  begin(machine: Machine, isPlanned: boolean, nowMs: number): void {
    const begun = this.#begun.get(ownerKeyOf(machine)) ?? new Map<string, Begun>()
    begun.set(keyOf(machine), { uid: machine.metadata.uid, isPlanned, at: nowMs, isSure: false })
    this.#begun.set(ownerKeyOf(machine), begun)
  }

  /** It is written, and noted in our own writes. */
  confirm(machine: Machine): void {
    const of = this.#begun.get(ownerKeyOf(machine))
    const begun = of?.get(keyOf(machine))
    if (begun) of?.set(keyOf(machine), { ...begun, isSure: true })
  }

  /** The API server has refused it. */
  refused(machine: Machine): void {
    this.#forget(ownerKeyOf(machine), keyOf(machine))
  }

  #stillBegun(owner: string, nowMs: number): ReadonlyMap<string, Begun> {
    for (const [key, begun] of this.#begun.get(owner) ?? [])
      if (this.#isShown(key, begun, nowMs)) this.#forget(owner, key)
    return this.#begun.get(owner) ?? new Map<string, Begun>()
  }

  /** The cache had the Machine when it was decided. So it is gone if the cache lacks it. */
  #isShown(key: string, { uid, isSure, at }: Begun, nowMs: number): boolean {
    const cached = this.#known.machines.get(key)
    if (!cached || cached.metadata.uid !== uid) return true
    return isSure ? this.#known.ownWrites.isIn(cached, nowMs) : nowMs - at >= doubtfulForMs
  }

  #forget(owner: string, key: string): void {
    const begun = this.#begun.get(owner)
    begun?.delete(key)
    if (begun?.size === 0) this.#begun.delete(owner)
  }
}
