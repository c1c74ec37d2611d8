import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../api/ctx.ts'
import { requests } from '../../api/labels.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import type { InstancePage, InstanceRef, Instances } from '../instances.ts'
import type { OwnershipTag, Ownership } from '../../api/ownership.ts'
import type { Scope } from '../../api/scope.ts'
import { machineDigest } from '../shared/ownership.ts'
import { staleReadMs, visibilityGraceMs } from '../wire/limits.ts'
import { retryPage } from '../wire/retry-page.ts'
import { StaleReads } from './stale-reads.ts'
import { Pace } from './pace.ts'
import {
  changedMachines,
  emptySnapshot,
  isUnsettled,
  snapshotOf,
  covers,
  withLastKnown,
  type Snapshot,
} from './snapshot.ts'

export interface FleetOptions {
  scope: Scope
  instances: Instances
  pollIntervalMs: number
  /** Called with the tag of each machine whose instance changed, came or went. */
  onChange: (machine: string) => void
}

const rememberedForMs = 24 * 60 * 60_000

/** What is known of an instance that should exist. */
export type Presence =
  | { is: 'seen'; instance: Instance }
  /** Not in any list yet, and too soon to say more. */
  | { is: 'awaited' }
  /** A complete list should have shown it and did not. Only `confirmGone` makes it gone. */
  | { is: 'missing' }
  /** `asOf`: when the reads that prove it began. What is learnt of it later does not make them newer. */
  | { is: 'gone'; asOf: number }

/** Somebody who waits for a list that speaks of this zone; undefined: of all. */
interface Waiter extends PromiseWithResolvers<Snapshot> {
  readonly zone: string | undefined
}

/**
 * One bulk read for all machines of a scope: a single paged list, at a pace that follows what is going on, serves every
 * machine of every cluster there. Changes wake machines; nobody asks the cloud for one machine.
 */
export class Fleet {
  readonly #options: FleetOptions
  readonly #pace: Pace
  #snapshot: Snapshot = emptySnapshot
  /** What the first whole list showed, by id; undefined until there is one. */
  #inherited: ReadonlySet<string> | undefined
  #wholeAt = Number.NEGATIVE_INFINITY
  /** Answers of our own calls, newer than the last list. By id. */
  #noted = new Map<string, { instance: Instance; at: number }>()
  /** Since when an instance is looked for in vain. By id, or by token where no id is known. */
  #awaited = new Map<string, number>()
  /** Proven gone, which holds until a later list shows it all the same: then the reads before were stale. */
  readonly #gone = new Map<string, number>()
  readonly #staleReads = new StaleReads()
  readonly #waiting = new Set<Waiter>()
  #trouble: CloudError | undefined

  constructor(options: FleetOptions) {
    this.#options = options
    this.#pace = new Pace(options.pollIntervalMs)
  }

  get scope(): Scope {
    return this.#options.scope
  }

  /** Lists until the signal fires. The only place that lists; everybody else waits for its lists. */
  async run(ctx: Ctx): Promise<void> {
    while (!ctx.signal.aborted) {
      const waiting = this.#takeWaiting()
      try {
        const snapshot = await this.#list(ctx)
        this.#trouble = snapshot.unreachableZones.size > 0 ? partialList(snapshot.unreachableZones) : undefined
        for (const { zone, resolve, reject } of waiting) {
          if (covers(snapshot, zone)) resolve(snapshot)
          else reject(this.#trouble)
        }
        this.#pace.listed(this.#isBusy())
      } catch (thrown) {
        for (const { reject } of waiting) reject(thrown)
        this.#trouble = thrown instanceof CloudError ? thrown : undefined
        const retryInMs = this.#pace.failed(thrown)
        if (!ctx.signal.aborted) {
          ctx.log.warn('Listing instances failed', { scope: this.#options.scope, error: thrown, retryInMs })
        }
      }
      await this.#pace.wait(ctx, () => this.#waiting.size > 0)
    }
    for (const { reject } of this.#takeWaiting()) reject(ctx.signal.reason)
  }

  /** What is known of the instance now, without a call. `served`: an earlier look has shown it to be there. */
  look(
    { id, zone, tag: { token }, needsNoProof }: Pick<InstanceRef, 'id' | 'zone' | 'tag' | 'needsNoProof'>,
    served: boolean,
    ctx: Ctx,
  ): Presence {
    const asOf = id === undefined ? undefined : this.#gone.get(id)
    if (asOf !== undefined) return { is: 'gone', asOf }
    const known = this.#known(id, token)
    if (known) {
      this.#awaited.delete(id ?? token)
      return { is: 'seen', instance: known }
    }
    if (!this.#proves(zone, needsNoProof)) return { is: 'awaited' }
    if (served) return { is: 'missing' }
    return this.waitedFor(id ?? token, ctx) < visibilityGraceMs ? { is: 'awaited' } : { is: 'missing' }
  }

  /** Whether the last list should have shown this instance, and did not. */
  lacks({ id, zone }: { readonly id: string; readonly zone?: string | undefined }): boolean {
    return this.#proves(zone) && !this.#noted.has(id) && !this.#snapshot.byId.has(id)
  }

  /** When the last list was begun. */
  get listedAt(): number {
    return this.#snapshot.begunAt
  }

  /** Whether the last list is known to be that of our account; one that shows nothing may be anybody's. */
  get isOfOurAccount(): boolean {
    const { account } = this.#options.scope
    return account !== undefined && this.#snapshot.account === account
  }

  /** How long this id or token has been looked for in vain; the first call begins the wait. */
  waitedFor(what: string, ctx: Ctx): number {
    const now = ctx.clock.monotonic()
    const since = this.#awaited.get(what) ?? now
    this.#awaited.set(what, since)
    return now - since
  }

  /** Whether one complete list is there; before that, nothing seen means nothing. */
  get hasSynced(): boolean {
    return this.#inherited !== undefined
  }

  /** When the last list of all zones of our account began: what a list proves it proves as of then, not as of now. */
  get wholeAt(): number {
    return this.#wholeAt
  }

  /** Whether the first whole list showed it: then it was there before this process looked. */
  isInherited(id: string): boolean {
    return this.#inherited?.has(id) ?? false
  }

  /** Why the last list failed, or was not whole; undefined when it was. */
  get trouble(): CloudError | undefined {
    return this.#trouble
  }

  /** Whatever the last list shows for this machine: to find what a lost attempt left behind. */
  ofMachine({ owner, machine }: Omit<Ownership, 'token'>): readonly Instance[] {
    const shown = this.#snapshot.byMachine.get(machineDigest(machine)) ?? []
    // Two clusters may both have `default/m1` in one account: the name alone proves nothing.
    return shown.filter(({ tag }) => tag?.owner === owner && (tag.machineName ?? machine) === machine)
  }

  /** What the last list shows of this attempt. */
  ofToken(token: string): Instance | undefined {
    return this.#snapshot.byToken.get(token)
  }

  /**
   * For how long the instance of this attempt had been known from lists at that time; undefined when none has shown it.
   * No attempt brings a second one, so nothing more is to come of it.
   */
  shownForMs(token: string, at: number): number | undefined {
    return this.#staleReads.shownForMs(token, at)
  }

  /** What the last list shows of this owner that is not ended or ending. */
  ownedBy(owner: string): readonly Instance[] {
    return [...this.#snapshot.byId.values()].filter(
      ({ tag, state }) => tag?.owner === owner && state !== 'terminated' && state !== 'terminating',
    )
  }

  /** Takes the answer of a call of ours, which is newer than the last list, and has the next list come soon. */
  note(instance: Instance, ctx: Ctx): void {
    this.#noted.set(instance.id, { instance, at: ctx.clock.monotonic() })
    this.hurry()
  }

  /** Something is on its way: look again soon. */
  hurry(): void {
    this.#pace.hurry()
  }

  /**
   * For one that is missing: a direct read and a second list that speaks of its zone, at once. Only both make it gone;
   * and while reads are late here, nothing does that is young enough to be hidden by them all.
   */
  async confirmGone(which: InstanceRef & { id: string }, ctx: Ctx): Promise<Presence> {
    const asOf = ctx.clock.monotonic()
    const knownForMs = this.shownForMs(which.tag.token, asOf) ?? this.waitedFor(which.id, ctx)
    if (this.#staleReads.isFound(asOf) && knownForMs < staleReadMs) return { is: 'missing' }
    const direct = await this.#options.instances.find(which, ctx)
    if (direct === 'unknown') return { is: 'missing' }
    if (direct !== 'absent') {
      this.note(direct, ctx)
      return { is: 'seen', instance: direct }
    }
    const second = await this.#nextList(ctx, which.zone)
    const shown = second.byId.get(which.id)
    if (shown) return { is: 'seen', instance: shown }
    if (!this.#proves(which.zone, which.needsNoProof)) return { is: 'missing' }
    this.#gone.set(which.id, asOf)
    this.#awaited.delete(which.id)
    this.#noted.delete(which.id)
    return { is: 'gone', asOf }
  }

  /**
   * Every instance of this owner that is not terminated, by a complete list begun after this call. Without proof the
   * list may be that of an account that nobody knows, though never of one that is known to be another.
   */
  async aliveOf(owner: string, ctx: Ctx, { needsNoProof = false } = {}): Promise<Instance[]> {
    const fresh = await this.#nextList(ctx)
    const { account } = this.#options.scope
    const all = [...fresh.byId.values()]
    if (!needsNoProof && account !== undefined && fresh.account !== account) throw unknownAccount(account)
    return all.filter((instance) => instance.tag?.owner === owner && instance.state !== 'terminated')
  }

  /** The account of what the last list shows of this owner; undefined where it shows nothing. */
  accountOf(owner: string): string | undefined {
    const { account, byId } = this.#snapshot
    return [...byId.values()].some(({ tag }) => tag?.owner === owner) ? account : undefined
  }

  /** Whether what the last list lacks in this zone is missing. */
  #proves(zone: string | undefined, needsNoProof = false): boolean {
    return (needsNoProof || this.isOfOurAccount) && this.hasSynced && covers(this.#snapshot, zone)
  }

  #known(id: string | undefined, token: string): Instance | undefined {
    if (id === undefined) return this.#snapshot.byToken.get(token)
    return this.#noted.get(id)?.instance ?? this.#snapshot.byId.get(id)
  }

  /**
   * The next list that begins after this call, if it is complete, or speaks of this zone where one is given. Callers
   * that come together share one; each may give up.
   */
  async #nextList({ signal }: Ctx, zone?: string): Promise<Snapshot> {
    const waiter = { ...Promise.withResolvers<Snapshot>(), zone }
    this.#waiting.add(waiter)
    this.#pace.now()
    try {
      return await unlessAborted(waiter.promise, signal)
    } finally {
      this.#waiting.delete(waiter)
    }
  }

  /** Those who come later wait for the list after this one. */
  #takeWaiting(): Waiter[] {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    return waiting
  }

  #isBusy(): boolean {
    return this.#noted.size > 0 || [...this.#snapshot.byId.values()].some(isUnsettled)
  }

  async #list(ctx: Ctx): Promise<Snapshot> {
    const begunAt = ctx.clock.monotonic()
    const items: Instance[] = []
    let last: InstancePage | undefined
    const { instances, scope } = this.#options
    for await (const page of instances.list(scope, ctx, (ask) => retryPage(ask, ctx))) {
      items.push(...page.items)
      last = page
    }
    const unreachableZones = new Set(last?.complete ? [] : last?.unreachableZones)
    if (!last?.complete && unreachableZones.size === 0) throw partialList(unreachableZones)
    this.#logUnreachable(unreachableZones, ctx)
    this.#take(items, { begunAt, unreachableZones, account: last?.account })
    return this.#snapshot
  }

  #logUnreachable(unreachableZones: ReadonlySet<string>, ctx: Ctx): void {
    if (isDeepStrictEqual(unreachableZones, this.#snapshot.unreachableZones)) return
    const { scope } = this.#options
    if (unreachableZones.size === 0) ctx.log.info('All zones answer again', { scope })
    else ctx.log.warn('Concluding nothing about zones that do not answer', { scope, zones: [...unreachableZones] })
  }

  #take(items: readonly Instance[], of: Pick<Snapshot, 'begunAt' | 'unreachableZones' | 'account'>): void {
    const { begunAt, unreachableZones } = of
    const next = snapshotOf(withLastKnown(items, unreachableZones, this.#snapshot), of)
    const changed = changedMachines(this.#snapshot, next)
    this.#snapshot = next
    if (unreachableZones.size === 0) this.#inherited ??= new Set(items.map(({ id }) => id))
    if (unreachableZones.size === 0 && (this.scope.account === undefined || this.isOfOurAccount))
      this.#wholeAt = begunAt
    this.#staleReads.listed(items, begunAt)
    this.#forgetOld(begunAt)
    for (const { id, tag } of items) {
      this.#awaited.delete(id)
      if (!this.#gone.delete(id)) continue
      this.#staleReads.found(begunAt)
      if (tag) changed.add(tag.machine)
    }
    for (const tag of this.#settleNoted(items, begunAt, unreachableZones)) changed.add(tag.machine)
    for (const machine of changed) this.#options.onChange(machine)
  }

  /** Of what nobody has asked about for a day. Whoever still does looks once more. */
  #forgetOld(now: number): void {
    for (const times of [this.#gone, this.#awaited]) {
      for (const [what, since] of times) if (now - since > rememberedForMs) times.delete(what)
    }
  }

  /** Answers of ours that this list bears out, or that it is too late to wait for. Answers with whose they are. */
  *#settleNoted(
    items: readonly Instance[],
    begunAt: number,
    unreachableZones: ReadonlySet<string>,
  ): Iterable<OwnershipTag> {
    const shown = new Set(items.map(({ id }) => id))
    for (const [id, { instance, at }] of this.#noted) {
      const [isAfter, isSilent] = [at < begunAt, unreachableZones.has(instance.zone)]
      if (isAfter && !shown.has(id) && !isSilent) this.#staleReads.found(begunAt)
      const mayLag = begunAt - at <= visibilityGraceMs || isSilent
      if (mayLag && !(shown.has(id) && isAfter)) continue
      this.#noted.delete(id)
      if (instance.tag) yield instance.tag
    }
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

function partialList(unreachableZones: ReadonlySet<string>): CloudError {
  const what =
    unreachableZones.size === 0 ? 'The list was not complete' : `The list lacks ${[...unreachableZones].join(', ')}`
  return new CloudError('transient', {
    code: 'PartialList',
    message: `${what}, so it does not prove that an instance is gone.`,
  })
}
