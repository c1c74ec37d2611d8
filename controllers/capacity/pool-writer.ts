import type { Ctx } from '../../api/ctx.ts'
import type { CapacityPool, CapacityPoolManager, CapacityPoolSummary } from '../../api/generated/capacity-pool.ts'
import { capacityPools } from '../../api/kinds.ts'
import { dueAt, entryOf, lastUsed, recordOf, summaryDueAt, summaryOf } from '../../api/rules/capacity/pool-entry.ts'
import { goesAt, stateChangesAt, type PoolRecord } from '../../api/rules/capacity/pool-view.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { ApiError, isConflict, isNotFound } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Result } from '../runtime/controller/result.ts'
import { cloudOf, fieldManagerOf } from './pool-names.ts'
import type { CapacityPools, KnownPool } from './pools.ts'

export interface PoolWriterDeps {
  readonly client: Pick<KubeClient, 'apply' | 'delete'>
  readonly objects: Pick<Cache<CapacityPool>, 'get'>
  readonly pools: Pick<CapacityPools, 'of' | 'drop'>
  /** The name of this manager's entries. */
  readonly manager: string
}

interface Written {
  readonly entries: readonly CapacityPoolManager[]
  readonly at: number
}

interface Wanted {
  readonly known: KnownPool
  readonly entries: readonly CapacityPoolManager[]
  readonly summary: CapacityPoolSummary
}

/** While the API server refuses writes, one is tried so often, for all objects together; or for one that is refused. */
const refusedPauseMs = 60_000
const sayRefusalsEveryMs = 10 * 60_000

/** Writes the objects: transitions at once, other changes seldom. */
export class PoolWriter {
  readonly #deps: PoolWriterDeps
  readonly #fieldManager: string
  readonly #written = new Map<string, Written>()
  /** By name of the object. */
  readonly #refusedUntil = new Map<string, number>()
  #allRefusedUntil = 0
  #saidAt = -Infinity

  constructor(deps: PoolWriterDeps) {
    this.#deps = deps
    this.#fieldManager = fieldManagerOf(deps.manager)
  }

  /** What stands in the objects at the start was written by a process before this one. */
  restore(objects: readonly CapacityPool[]): void {
    for (const { metadata, status } of objects) {
      const entries = status?.managers?.filter(({ manager }) => manager === this.#deps.manager) ?? []
      if (entries.length > 0) this.#written.set(metadata.name, { entries, at: 0 })
    }
  }

  /** Somebody has deleted the object. */
  gone(name: string): void {
    this.#written.delete(name)
    this.#refusedUntil.delete(name)
  }

  async reconcile(name: string, ctx: Ctx): Promise<Result> {
    const now = ctx.clock.now()
    const stored = this.#deps.objects.get(name)
    const others = this.#othersIn(stored, now)
    const known = this.#shownOf(name, mostEntries - others.length, now)
    const all = [...(known?.records.values() ?? []), ...others]
    if (all.length === 0) return 'done'
    const unusedAt = Math.max(...all.map(goesAt))
    if (unusedAt <= now) return this.#delete(name, stored, ctx)
    // The entry of a manager that is gone stays for as long as the object.
    const records = all.filter((record) => goesAt(record) > now)
    if (!known) return { requeueAfterMs: unusedAt - now, reason: 'it may be unused then' }
    const wanted = { known, entries: this.#entriesOf(known, now), summary: summaryOf(records, now) }
    const due = Math.max(this.#dueAt(name, wanted, stored), this.#restsUntil(name))
    if (due <= now) await this.#write(name, wanted, ctx)
    const next = Math.min(due > now ? due : Infinity, ...records.map((record) => stateChangesAt(record, now)))
    const rests = this.#restsUntil(name)
    const looksAgainMs = Math.min(next, now + growsLookMs, rests > now ? rests : Infinity) - now
    return { requeueAfterMs: looksAgainMs, reason: 'the view of the offering may change then' }
  }

  /** So that all managers agree, the summary knows no more than the entries. */
  #shownOf(name: string, room: number, now: number): KnownPool | undefined {
    const known = this.#deps.pools.of(name, now)
    return known && { ...known, records: lastUsed(known.records, Math.max(1, Math.min(mostAccounts, room))) }
  }

  #othersIn(stored: CapacityPool | undefined, now: number): PoolRecord[] {
    const cloud = stored && cloudOf(stored.spec)
    const entries = stored?.status?.managers?.filter(({ manager }) => manager !== this.#deps.manager) ?? []
    return cloud ? entries.map((entry) => recordOf(entry, cloud, now)) : []
  }

  #entriesOf({ records }: KnownPool, now: number): CapacityPoolManager[] {
    const { manager } = this.#deps
    return [...records].map(([account, record]) => entryOf(record, { manager, account }, now))
  }

  #dueAt(name: string, { entries, summary }: Wanted, stored: CapacityPool | undefined): number {
    const written = this.#written.get(name)
    if (!written) return 0
    const times = entries.map((entry) => {
      const before = written.entries.find(({ account }) => account === entry.account)
      return dueAt(entry, before, written.at)
    })
    // The cache may be older than our last write, so a summary waits like any other change.
    return Math.min(...times, summaryDueAt(summary, stored?.status?.summary, written.at))
  }

  async #write(name: string, { known, entries, summary }: Wanted, ctx: Ctx): Promise<void> {
    const status = { summary, managers: [...entries] }
    try {
      if (!this.#deps.objects.get(name)) await this.#apply(name, { spec: known.spec }, ctx)
      await this.#apply(name, { status }, ctx, 'status').catch(async (thrown: unknown) => {
        if (!isNotFound(thrown)) throw thrown
        await this.#apply(name, { spec: known.spec }, ctx)
        await this.#apply(name, { status }, ctx, 'status')
      })
      this.#written.set(name, { entries, at: ctx.clock.now() })
      this.#refusedUntil.delete(name)
    } catch (thrown) {
      this.#refused(name, thrown, ctx)
    }
  }

  async #apply(name: string, fields: Partial<CapacityPool>, ctx: Ctx, subresource?: string): Promise<void> {
    const object = { metadata: { name }, ...fields }
    const options = { fieldManager: this.#fieldManager, force: true, ...(subresource ? { subresource } : {}) }
    await this.#deps.client.apply(capacityPools, object, options, ctx)
  }

  async #delete(name: string, stored: CapacityPool | undefined, ctx: Ctx): Promise<Result> {
    this.#deps.pools.drop(name)
    this.gone(name)
    if (!stored) return 'done'
    const { uid, resourceVersion } = stored.metadata
    try {
      await this.#deps.client.delete(capacityPools, { name }, { uid, resourceVersion }, ctx)
      return 'done'
    } catch (thrown) {
      if (isNotFound(thrown)) return 'done'
      this.#refused(name, thrown, ctx)
      return { requeueAfterMs: refusedPauseMs, reason: 'it could not be deleted' }
    }
  }

  #restsUntil(name: string): number {
    return Math.max(this.#allRefusedUntil, this.#refusedUntil.get(name) ?? 0)
  }

  /** No rights, or no such kind: machines go on, and one line says it for all objects. Or one object is not valid. */
  #refused(name: string, thrown: unknown, ctx: Ctx): void {
    const isRefusal = thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500
    if (!isRefusal || isConflict(thrown) || thrown.status === 429) throw thrown
    const now = ctx.clock.now()
    if (isOfAll(thrown)) this.#allRefusedUntil = now + refusedPauseMs
    else this.#refusedUntil.set(name, now + refusedPauseMs)
    if (now - this.#saidAt < sayRefusalsEveryMs) return
    this.#saidAt = now
    ctx.log.warn('CapacityPools cannot be written, and machines go on without them', { error: thrown })
  }
}

/** An object has room for so many, of all managers together. */
const mostEntries = 64
/** Each Cluster may have an account of its own: a subscription or a project. */
const mostAccounts = 24

function isOfAll({ status }: ApiError): boolean {
  return status === 401 || status === 403 || status === 404
}

/** Instances that run make the hours grow without an event. */
const growsLookMs = 60 * 60_000
