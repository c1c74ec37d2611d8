import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import { requests } from '../../api/labels.ts'
import type { Ownership } from '../../api/ownership.ts'
import type { Scope } from '../../api/scope.ts'
import type { InstanceRef, Instances } from '../instances.ts'
import { machineDigest } from '../shared/ownership.ts'
import { staleReadMs, visibilityGraceMs } from '../wire/limits.ts'
import type { Presence } from './presence.ts'
import { covers, isUp, type Snapshot } from './snapshot.ts'
import type { InstanceStore } from './store.ts'

/** The side of the poller that a fleet uses. */
export interface Lister {
  readonly instances: Pick<Instances, 'find'>
  /** Something is on its way: the next list is to come soon. */
  hurry(): void
  /** The next list for this fleet that begins after this call: a whole one, or one that covers this zone. */
  nextList(fleet: Fleet, zone: string | undefined, ctx: Ctx): Promise<Snapshot>
}

/**
 * An informer for cloud instances: all machines of a scope share its lists. Its poller lists and wakes the machines
 * whose instances change. The fleet answers from the lists of the account of its scope. Without an account it answers
 * for the account of the credentials, and then a list proves nothing.
 */
export class Fleet {
  readonly scope: Scope
  readonly #lister: Lister
  #store: InstanceStore
  #trouble: CloudError | undefined

  constructor(scope: Scope, store: InstanceStore, lister: Lister) {
    this.scope = scope
    this.#store = store
    this.#lister = lister
  }

  /** Its poller puts the lists here. */
  get store(): InstanceStore {
    return this.#store
  }

  /** Its store has taken a list of the poller. `trouble`: the error if the list does not cover all zones. */
  listed(store: InstanceStore, trouble: CloudError | undefined): void {
    this.#store = store
    this.#trouble = trouble
  }

  /** Only an error of the cloud is trouble. Anything else means that the process ends. */
  failed(thrown: unknown): void {
    this.#trouble = thrown instanceof CloudError ? thrown : undefined
  }

  /** The presence of the instance by the last list, without a call. `served`: an earlier list has shown it. */
  look(
    { id, zone, tag: { token }, needsNoProof }: Pick<InstanceRef, 'id' | 'zone' | 'tag' | 'needsNoProof'>,
    served: boolean,
    ctx: Ctx,
  ): Presence {
    const { absences } = this.#store
    const asOf = id === undefined ? undefined : absences.goneAsOf(id)
    if (asOf !== undefined) return { is: 'gone', asOf }
    const known = this.#known(id, token)
    if (known) {
      absences.found(id ?? token)
      return { is: 'seen', instance: known }
    }
    if (!this.#proves(zone, needsNoProof)) return { is: 'awaited' }
    if (served) return { is: 'missing' }
    return this.waitedFor(id ?? token, ctx) < visibilityGraceMs ? { is: 'awaited' } : { is: 'missing' }
  }

  /** Whether the last list should have shown this instance, and did not. */
  lacks({ id, zone }: { readonly id: string; readonly zone?: string | undefined }): boolean {
    return this.#proves(zone) && this.#known(id) === undefined
  }

  /**
   * Whether the last list of all zones began later and shows no instance of ours with this id that is up. Undefined:
   * there is no such list yet.
   */
  isForeign(id: string, since: number): boolean | undefined {
    const known = this.#known(id)
    if (known?.tag !== undefined && isUp(known)) return false
    return this.#store.wholeAt > since ? true : undefined
  }

  /** When the last list was begun. */
  get listedAt(): number {
    return this.#snapshot.begunAt
  }

  /** Whether the last list is known to be of our account. An empty list may be of any account. */
  get isOfOurAccount(): boolean {
    const { account } = this.scope
    return account !== undefined && this.#snapshot.account === account
  }

  /** How long this id or token has been looked for in vain; the first call begins the wait. */
  waitedFor(what: string, { clock }: Ctx): number {
    return this.#store.absences.waitedForMs(what, clock.monotonic())
  }

  /** Whether one complete list is there; before that, nothing seen means nothing. */
  get hasSynced(): boolean {
    return this.#store.hasSynced
  }

  /** When the last list of all zones of our account began. A list proves absence as of its begin, not as of now. */
  get wholeAt(): number {
    return this.scope.account === undefined ? this.#store.wholeAt : this.#store.provenAt
  }

  /** Whether the first whole list showed it: then it was there before this process looked. */
  isInherited(id: string): boolean {
    return this.#store.isInherited(id)
  }

  /** Why the last list failed, or was not whole; undefined when it was. */
  get trouble(): CloudError | undefined {
    return this.#trouble
  }

  /** The instances of this machine in the last list. With them the instance of a lost attempt is found. */
  ofMachine({ owner, machine }: Omit<Ownership, 'token'>): readonly Instance[] {
    const shown = this.#snapshot.byMachine.get(machineDigest(machine)) ?? []
    // Two clusters may both have `default/m1` in one account: the name alone proves nothing.
    return shown.filter(({ tag }) => tag?.owner === owner && (tag.machineName ?? machine) === machine)
  }

  /** The instance of this attempt in the last list. */
  ofToken(token: string): Instance | undefined {
    return this.#snapshot.byToken.get(token)
  }

  /**
   * For how long lists had shown the instance of this attempt at that time; undefined if none has shown it. An attempt
   * makes no second instance, so after that no other can follow.
   */
  shownForMs(token: string, at: number): number | undefined {
    return this.#store.staleReads.shownForMs(token, at)
  }

  /** The instance of this id, as last listed or as a newer answer has it. */
  find(id: string): Instance | undefined {
    return this.#known(id)
  }

  /** Whether the last list shows an instance of ours that is up and of this kind. */
  hasUp(isOfKind: (instance: Instance) => boolean): boolean {
    return this.#snapshot.byId
      .values()
      .some((instance) => instance.tag !== undefined && isUp(instance) && isOfKind(instance))
  }

  /** The instances of ours that the last list shows as up. */
  up(): readonly Instance[] {
    return [...this.#snapshot.byId.values()].filter((instance) => instance.tag !== undefined && isUp(instance))
  }

  /** The instances of this owner in the last list, without those that have ended or are ending. */
  ownedBy(owner: string): readonly Instance[] {
    return [...this.#snapshot.byId.values()].filter(
      ({ tag, state }) => tag?.owner === owner && state !== 'terminated' && state !== 'terminating',
    )
  }

  /** The account of this owner's instances in the last list; undefined if there are none. */
  accountOf(owner: string): string | undefined {
    const { account, byId } = this.#snapshot
    return byId.values().some(({ tag }) => tag?.owner === owner) ? account : undefined
  }

  /** Takes the answer of a call of ours, which is newer than the last list, and has the next list come soon. */
  note(instance: Instance, { clock }: Ctx): void {
    this.#store.noted.note(instance, clock.monotonic())
    this.hurry()
  }

  /** Something is on its way: look again soon. */
  hurry(): void {
    this.#lister.hurry()
  }

  /**
   * Looks for a missing instance by a direct read and by a second list that covers its zone, at once. It is gone only
   * if both lack it. While reads are stale here, a young instance is not gone, because all of these reads may lack it.
   */
  async confirmGone(which: InstanceRef & { id: string }, ctx: Ctx): Promise<Presence> {
    const asOf = ctx.clock.monotonic()
    const knownForMs = this.shownForMs(which.tag.token, asOf) ?? this.waitedFor(which.id, ctx)
    if (this.#store.staleReads.isFound(asOf) && knownForMs < staleReadMs) return { is: 'missing' }
    const direct = await this.#lister.instances.find(which, ctx)
    if (direct === 'unknown') return { is: 'missing' }
    if (direct !== 'absent') {
      this.note(direct, ctx)
      return { is: 'seen', instance: direct }
    }
    const second = await this.#lister.nextList(this, which.zone, ctx)
    const shown = second.byId.get(which.id)
    if (shown) return { is: 'seen', instance: shown }
    if (!this.#proves(which.zone, which.needsNoProof)) return { is: 'missing' }
    this.#store.absences.gone(which.id, asOf)
    this.#store.noted.drop(which.id)
    return { is: 'gone', asOf }
  }

  /**
   * Every instance of this owner that is not terminated, by a complete list begun after this call. Without proof the
   * list may be of an unknown account, but never of another known account.
   */
  async aliveOf(owner: string, ctx: Ctx, { needsNoProof = false } = {}): Promise<Instance[]> {
    const fresh = await this.#lister.nextList(this, undefined, ctx)
    const { account } = this.scope
    if (!needsNoProof && account !== undefined && fresh.account !== account) throw unknownAccount(account)
    return [...fresh.byId.values()].filter(
      (instance) => instance.tag?.owner === owner && instance.state !== 'terminated',
    )
  }

  get #snapshot(): Snapshot {
    return this.#store.snapshot
  }

  /** Whether an instance that the last list lacks in this zone is missing. */
  #proves(zone: string | undefined, needsNoProof = false): boolean {
    return (needsNoProof || this.isOfOurAccount) && this.hasSynced && covers(this.#snapshot, zone)
  }

  #known(id: string | undefined, token = ''): Instance | undefined {
    if (id === undefined) return this.#snapshot.byToken.get(token)
    return this.#store.noted.of(id) ?? this.#snapshot.byId.get(id)
  }
}

function unknownAccount(account: string): CloudError {
  return new CloudError('transient', {
    code: 'UnknownAccount',
    message:
      `The list is empty and may not belong to account ${account}, so it does not prove that an instance is gone. If ` +
      `no instance is left there, set annotation ${requests.confirmGone} on the infrastructure cluster.`,
  })
}
