import { isDeepStrictEqual } from 'node:util'
import { CloudError } from '../../api/cloud-error.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { Scope } from '../../api/scope.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import type { InstanceReads } from '../instances.ts'
import { isOtherAccount } from '../shared/account.ts'
import { Accounts, type Asked } from './accounts.ts'
import type { Fleet, Lister } from './fleet.ts'
import { listAll, partialList, type Listing } from './listing.ts'
import { Pace } from './pace.ts'
import { covers, type Snapshot } from './snapshot.ts'

export interface PollerOptions {
  /** The place to list. It has an account only where every address contains one. */
  readonly scope: Scope
  readonly instances: InstanceReads
  readonly pollIntervalMs: number
  /** Called with the tag of each machine whose instance changed, came or went. */
  readonly onChange: (machine: string) => void
  /** Called after each list that came through. */
  readonly onListed?: () => void
}

/** A caller that waits for a list of this fleet that covers this zone; undefined: all zones. */
interface Waiter extends PromiseWithResolvers<Snapshot> {
  readonly fleet: Fleet
  readonly zone: string | undefined
}

/**
 * The only place that lists: one paged list at a time, more often while instances change. It serves the fleets of all
 * accounts in its place. The credentials are of one account, so one of these is listed: the adapter refuses the others
 * before it sends anything.
 */
export class Poller implements Lister {
  readonly instances: InstanceReads
  readonly #options: PollerOptions
  readonly #pace: Pace
  readonly #accounts: Accounts
  readonly #waiting = new Set<Waiter>()
  /** The error of the last try; undefined after a list. */
  #failure: unknown

  constructor(options: PollerOptions) {
    this.#options = options
    this.instances = options.instances
    this.#pace = new Pace(options.pollIntervalMs)
    this.#accounts = new Accounts(options.scope, this)
  }

  /** The fleet of this account, which is listed until it is dropped. */
  follow(account: string | undefined): Fleet {
    const fleet = this.#accounts.follow(account)
    if (this.#mayTryAtOnce()) this.#pace.restart()
    return fleet
  }

  drop(fleet: Fleet): void {
    this.#accounts.drop(fleet)
  }

  /** The fleets that it serves; first the one of the account of the credentials, as far as that is known. */
  get fleets(): readonly Fleet[] {
    return this.#accounts.inOrder()
  }

  /** Lists until the signal fires. */
  async run(ctx: Ctx): Promise<void> {
    while (!ctx.signal.aborted) {
      const waiting = this.#takeWaiting()
      const served = await this.#listOnce(ctx)
      for (const waiter of waiting) this.#settle(waiter, served)
      if (!this.#mayTryAtOnce()) await this.#pace.wait(ctx, () => this.#waiting.size > 0)
    }
    for (const { reject } of this.#takeWaiting()) reject(ctx.signal.reason)
  }

  hurry(): void {
    this.#pace.hurry()
  }

  /** Something has changed in the cloud. A pause after a failure still comes first. */
  now(ctx: Pick<Ctx, 'clock'>): void {
    this.#pace.soon(ctx)
  }

  /** Callers that come together share one list; each may give up. */
  async nextList(fleet: Fleet, zone: string | undefined, { signal }: Ctx): Promise<Snapshot> {
    const waiter = { ...Promise.withResolvers<Snapshot>(), fleet, zone }
    this.#waiting.add(waiter)
    this.#pace.now()
    try {
      return await unlessAborted(waiter.promise, signal)
    } finally {
      this.#waiting.delete(waiter)
    }
  }

  /** A refusal by our own comparison of accounts asks nothing of the cloud; a failure of the cloud needs its pause. */
  #mayTryAtOnce(): boolean {
    return this.#accounts.hasUntried && (this.#failure === undefined || isOfOtherAccount(this.#failure))
  }

  /** Tries one account after the other until a list comes through. Returns the fleets that the list serves. */
  async #listOnce(ctx: Ctx): Promise<ReadonlySet<Fleet>> {
    const denied = new Set<Fleet>()
    for (const asked of this.#accounts.inOrder()) {
      try {
        const list = await listAll(this.instances, asked.scope, ctx)
        this.#failure = undefined
        return this.#deliver(list, { asked, denied }, ctx)
      } catch (thrown) {
        this.#failure = thrown
        if (!isOfOtherAccount(thrown)) break
        this.#accounts.failed(asked, thrown)
        denied.add(asked)
      }
    }
    if (!isOfOtherAccount(this.#failure)) this.#accounts.allFailed(this.#failure)
    const { scope } = this.#options
    const retryInMs = this.#pace.failed(this.#failure)
    if (!ctx.signal.aborted) ctx.log.warn('Listing instances failed', { scope, error: this.#failure, retryInMs })
    return new Set()
  }

  #deliver(list: Listing, by: Asked, ctx: Ctx): ReadonlySet<Fleet> {
    logUnreachable(list, by.asked, ctx)
    const trouble = list.unreachableZones.size > 0 ? partialList(list.unreachableZones) : undefined
    const served = this.#accounts.served(list, by, trouble)
    const stores = new Set([...served].map(({ store }) => store))
    const changed = new Set([...stores].flatMap((store) => [...store.take(list)]))
    this.#pace.listed(stores.values().some(({ isBusy }) => isBusy))
    for (const machine of changed) this.#options.onChange(machine)
    this.#options.onListed?.()
    return served
  }

  #settle({ fleet, zone, resolve, reject }: Waiter, served: ReadonlySet<Fleet>): void {
    const { snapshot } = fleet.store
    if (served.has(fleet) && covers(snapshot, zone)) resolve(snapshot)
    else reject(fleet.trouble ?? this.#failure ?? partialList(new Set()))
  }

  /** A caller that comes later waits for the list after this one. */
  #takeWaiting(): Waiter[] {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    return waiting
  }
}

function isOfOtherAccount(thrown: unknown): boolean {
  return thrown instanceof CloudError && isOtherAccount(thrown)
}

function logUnreachable({ unreachableZones }: Listing, { scope, store }: Fleet, { log }: Ctx): void {
  if (isDeepStrictEqual(unreachableZones, store.snapshot.unreachableZones)) return
  if (unreachableZones.size === 0) log.info('All zones answer again', { scope })
  else log.warn('Concluding nothing about zones that do not answer', { scope, zones: [...unreachableZones] })
}
