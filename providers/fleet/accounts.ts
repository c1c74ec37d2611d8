import type { CloudError } from '../../api/cloud-error.ts'
import type { Scope } from '../../api/scope.ts'
import { otherAccount } from '../shared/account.ts'
import { Fleet, type Lister } from './fleet.ts'
import type { Listing } from './listing.ts'
import { InstanceStore } from './store.ts'

/** The account with which a list came through, and the accounts that the adapter refused before that. */
export interface Asked {
  readonly asked: Fleet
  readonly denied: ReadonlySet<Fleet>
}

/**
 * The fleets that one poller serves: one for each pinned account, and one without an account. It learns from the lists
 * which account the credentials are of, and keeps what they show by account.
 */
export class Accounts {
  /** The place that is listed. It has an account only where every address contains one. */
  readonly #scope: Scope
  readonly #lister: Lister
  readonly #fleets = new Map<string | undefined, Fleet>()
  /** Fleets for which no list was tried yet. */
  readonly #untried = new Set<Fleet>()
  /** As which account the last list came through, and the store that took it; undefined after a failure. */
  #last: { readonly asked: Fleet; readonly store: InstanceStore } | undefined

  constructor(scope: Scope, lister: Lister) {
    this.#scope = scope
    this.#lister = lister
  }

  /** The fleet of this account. Without one, it answers for the account that the credentials are of. */
  follow(account: string | undefined): Fleet {
    return this.#fleets.get(account) ?? this.#begin(account)
  }

  drop(fleet: Fleet): void {
    this.#fleets.delete(fleet.scope.account)
    this.#untried.delete(fleet)
  }

  get hasUntried(): boolean {
    return this.#untried.size > 0
  }

  /**
   * The account of the last list comes first, so that mostly no other is tried. The fleet without an account comes
   * last: it is needed only with credentials of an account that is not pinned anywhere.
   */
  inOrder(): Fleet[] {
    const rank = (fleet: Fleet) => (fleet.scope.account === undefined ? 2 : fleet === this.#last?.asked ? 0 : 1)
    return [...this.#fleets.values()].toSorted((a, b) => rank(a) - rank(b))
  }

  /** A list came through. Answers with the fleets that it serves, whose stores are to take it. */
  served(list: Listing, by: Asked, trouble: CloudError | undefined): ReadonlySet<Fleet> {
    const store = this.#storeFor(list, by.asked)
    this.#last = { asked: by.asked, store }
    const served = new Set<Fleet>()
    for (const fleet of this.#fleets.values()) {
      const { account } = fleet.scope
      if (isServed(fleet, list, by)) {
        fleet.listed(account === undefined ? store : fleet.store, trouble)
        served.add(fleet)
      } else if (account !== undefined && list.account !== undefined) {
        fleet.failed(otherAccount(account, list.account))
      }
      this.#untried.delete(fleet)
    }
    return served
  }

  failed(fleet: Fleet, thrown: unknown): void {
    this.#last = undefined
    this.#untried.delete(fleet)
    fleet.failed(thrown)
  }

  /** The cloud fails: none of them is listed. */
  allFailed(thrown: unknown): void {
    for (const fleet of this.#fleets.values()) this.failed(fleet, thrown)
  }

  #begin(account: string | undefined): Fleet {
    const scope = account === undefined ? this.#scope : { ...this.#scope, account }
    const store = account === undefined ? (this.#last?.store ?? new InstanceStore()) : this.#storeOf(account)
    const fleet = new Fleet(scope, store, this.#lister)
    this.#fleets.set(account, fleet)
    if (!fleet.hasSynced) this.#untried.add(fleet)
    return fleet
  }

  /** The store of this account. A store without a list so far can become that of any account. */
  #storeOf(account: string): InstanceStore {
    const stores = [...this.#fleets.values()].map(({ store }) => store)
    const known = stores.find((store) => store.account === account)
    if (known) return known
    const store = stores.find((one) => one.account === undefined && !one.hasSynced) ?? new InstanceStore()
    store.learn(account)
    return store
  }

  /** The store of the account of the list. A list of an unknown account goes to no store with an account. */
  #storeFor({ account }: Listing, { scope, store }: Fleet): InstanceStore {
    if (scope.account !== undefined) return store
    if (account !== undefined) return this.#storeOf(account)
    return store.account === undefined ? store : new InstanceStore()
  }
}

/** A list of an unknown account serves every account that the adapter did not refuse. */
function isServed(fleet: Fleet, { account: listed }: Listing, { asked, denied }: Asked): boolean {
  const { account } = fleet.scope
  if (fleet === asked || account === undefined || account === listed) return true
  return listed === undefined && !denied.has(fleet)
}
