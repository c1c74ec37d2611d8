import type { Instance } from '../../api/instance.ts'
import { Absences, NotedInstances, StaleReads } from './consistency.ts'
import type { Listing } from './listing.ts'
import { changedMachines, emptySnapshot, isUnsettled, snapshotOf, withLastKnown, type Snapshot } from './snapshot.ts'

/** The instances of one account in one region: the last list, and answers that are newer. */
export class InstanceStore {
  readonly noted = new NotedInstances()
  readonly absences = new Absences()
  readonly staleReads = new StaleReads()
  #account: string | undefined
  #snapshot: Snapshot = emptySnapshot
  /** The ids in the first whole list; undefined until there is one. */
  #inherited: ReadonlySet<string> | undefined
  #impaired: ReadonlyMap<string, number> | undefined
  #wholeAt = Number.NEGATIVE_INFINITY
  #provenAt = Number.NEGATIVE_INFINITY

  /** The account whose instances these are; undefined until it is learnt. */
  get account(): string | undefined {
    return this.#account
  }

  learn(account: string): void {
    this.#account = account
  }

  get snapshot(): Snapshot {
    return this.#snapshot
  }

  /** Whether one complete list is there; before that, nothing seen means nothing. */
  get hasSynced(): boolean {
    return this.#inherited !== undefined
  }

  isInherited(id: string): boolean {
    return this.#inherited?.has(id) ?? false
  }

  /** When the last list of all zones began. */
  get wholeAt(): number {
    return this.#wholeAt
  }

  /** When the last list of all zones began that told that it is of this account. */
  get provenAt(): number {
    return this.#provenAt
  }

  /**
   * Since when a check that the cloud makes itself fails for this instance, or that it fails none. Undefined: no list
   * of checks has come through.
   */
  checkOf(id: string): number | 'passes' | undefined {
    return this.#impaired && (this.#impaired.get(id) ?? 'passes')
  }

  /** Takes a list of checks. Answers with the tags of the machines for which it says something new. */
  checked(impaired: ReadonlyMap<string, number>): Set<string> {
    const before = this.#impaired
    this.#impaired = impaired
    const ids = new Set([...(before?.keys() ?? []), ...impaired.keys()])
    const changed = [...ids].filter((id) => before?.get(id) !== impaired.get(id))
    // Before this process, another may have said that a check fails.
    const told = before ? changed : this.#snapshot.byId.keys()
    return new Set([...told].flatMap((id) => this.#snapshot.byId.get(id)?.tag?.machine ?? []))
  }

  /** Something is on its way: the next list is to come soon. */
  get isBusy(): boolean {
    return this.noted.size > 0 || this.#snapshot.byId.values().some(isUnsettled)
  }

  /** Takes a list. Answers with the tags of the machines whose instances changed by it. */
  take(list: Listing): Set<string> {
    const { items, begunAt, unreachableZones } = list
    const next = snapshotOf(withLastKnown(items, unreachableZones, this.#snapshot), list)
    const changed = changedMachines(this.#snapshot, next)
    this.#snapshot = next
    if (unreachableZones.size === 0) this.#takeWhole(list)
    this.staleReads.listed(items, begunAt)
    this.absences.forgetOld(begunAt)
    for (const instance of [...this.#foundAgain(items, begunAt), ...this.#settleNoted(list)]) {
      if (instance.tag) changed.add(instance.tag.machine)
    }
    return changed
  }

  #takeWhole({ items, begunAt, account }: Listing): void {
    this.#inherited ??= new Set(items.map(({ id }) => id))
    this.#wholeAt = begunAt
    if (account !== undefined && account === this.#account) this.#provenAt = begunAt
  }

  /** Instances that were proven gone and are in the list. The reads before were stale. */
  #foundAgain(items: readonly Instance[], begunAt: number): Instance[] {
    const again = items.filter(({ id }) => this.absences.shown(id))
    if (again.length > 0) this.staleReads.found(begunAt)
    return again
  }

  #settleNoted(list: Listing): Instance[] {
    if (this.noted.isMissedBy(list)) this.staleReads.found(list.begunAt)
    return this.noted.settle(list)
  }
}
