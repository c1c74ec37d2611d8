import type { Clock, Ctx } from '../../../api/ctx.ts'
import { ApiError, isAlreadyExists, isConflict, isNotFound } from '../client/api-error.ts'
import type { KubeClient } from '../client/client.ts'
import { unlessAborted } from '../../../api/unless-aborted.ts'
import { Deadline } from '../../../api/deadline.ts'
import { claimed, givenBack, isOfSamePod, ledForMs, leases, renewedAt, type LeaseObject } from './lease-record.ts'

export interface LeaseOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'mergePatch'>
  readonly lease: { readonly namespace: string; readonly name: string }
  /**
   * Of this process, and of no other. `<pod>/<random>` says in which pod it runs: a process takes over at once from one
   * that it found in its own pod when it first looked, for that one was there before it and has been restarted.
   */
  readonly identity: string
  /** How long others wait after they have seen us renew. */
  readonly durationMs?: number
  /** How long we count on it after we began to renew; well below `durationMs`. */
  readonly renewDeadlineMs?: number
  readonly retryMs?: number
  readonly random?: () => number
}

/** What stood in the lease when this process took it. */
export interface Predecessor {
  /** Empty when it was given back. */
  readonly holder: string
  /** When the holder renewed it last, or gave it back, by its own clock; undefined where nobody knows. */
  readonly renewedAt: number | undefined
  /** For how long it had led then. */
  readonly ledForMs: number | undefined
}

/** The lease is no longer ours, so this process has to end: another one may be at work. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * One of several processes acts; which one, a Lease says. The laws are those of client-go:
 * - No clocks of two machines are compared. A holder counts as alive for as long as *we* have seen its record change
 *   within its own duration, by our monotonic clock.
 * - Whoever writes does so with the version it has read as the precondition, so of two that take it one gets it.
 * - The holder counts on its lease from the moment it *began* to renew, and less long than others wait. Hence, while
 *   the clocks run at the same speed, never two hold it: neither with answers that are late or lost, nor after a
 *   process that was stopped wakes up.
 * - Lost is lost: `run` rejects, and the process is to end.
 *
 * Two processes of one pod are the exception: where the older one is alive after all, because the kubelet has lost
 * sight of its container, both hold the lease until it tries to renew: two seconds, and ten while the API server does
 * not answer it.
 *
 * A write to a cloud that began while the lease was held may still be under way when another takes over. What makes
 * that harmless are the attempt's token and the versions of objects, not the lease.
 */
export class Lease {
  readonly #options: Required<LeaseOptions>
  readonly #clock: Clock
  readonly #acquired = Promise.withResolvers<void>()
  /** Of the API server's last answer; its version is the precondition of our next write. */
  #lease: LeaseObject | undefined
  /** The last record of somebody else, and when we first saw it like that. */
  #other = { record: '', until: Number.NEGATIVE_INFINITY }
  /** Who held it when we first looked, if that was a process of our own pod; else ''. Undefined before we looked. */
  #elder: string | undefined
  #predecessor: Predecessor | undefined
  /** What stands in our last renewal that was answered. */
  #renewedAt = 0
  #heldUntil = Number.NEGATIVE_INFINITY
  #hasHeld = false
  #hasWritten = false
  #failures = 0

  constructor(options: LeaseOptions, { clock }: { clock: Clock }) {
    this.#clock = clock
    const defaults = { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000, random: Math.random }
    this.#options = { ...defaults, ...options }
  }

  /** Whether it is ours at this very moment. Ask right before each act; the answer is good for no longer. */
  held(): boolean {
    return this.#clock.monotonic() < this.#heldUntil
  }

  /** Whether it was ours and is not any more: the process is about to end. */
  lost(): boolean {
    return this.#hasHeld && !this.held()
  }

  /** Undefined until the lease is ours, and where there was none before. */
  predecessor(): Predecessor | undefined {
    return this.#hasHeld ? this.#predecessor : undefined
  }

  async acquired({ signal }: Ctx): Promise<void> {
    await unlessAborted(this.#acquired.promise, signal)
  }

  /** Waits for the lease, keeps it until ctx ends, then gives it back. Throws LeaseLost. */
  async run(ctx: Ctx): Promise<void> {
    try {
      await this.#acquire(ctx)
      await this.#keep(ctx)
    } catch (error) {
      if (!ctx.signal.aborted) {
        this.#heldUntil = Number.NEGATIVE_INFINITY
        throw error
      }
    }
    await this.#giveBack(ctx)
  }

  async #acquire(ctx: Ctx): Promise<void> {
    for (;;) {
      const waitMs = await this.#try((own) => this.#take(own), this.#options.renewDeadlineMs, ctx)
      if (this.held()) break
      await ctx.clock.sleep(waitMs, ctx.signal)
    }
    this.#hasHeld = true
    this.#acquired.resolve()
    ctx.log.info('Holding the lease', { Lease: this.#name, identity: this.#options.identity })
  }

  async #keep(ctx: Ctx): Promise<never> {
    const { retryMs } = this.#options
    for (let waitMs = retryMs; ;) {
      // However long the API server asks us to wait, there is one more try before the deadline.
      const longestMs = Math.max(retryMs, this.#left - retryMs)
      await ctx.clock.sleep(Math.min(waitMs, longestMs, this.#left), ctx.signal)
      if (this.#left <= 0) throw this.#notRenewed()
      waitMs = await this.#try((own) => this.#renew(own), this.#left, ctx)
      if (this.#left <= 0) throw this.#notRenewed()
    }
  }

  /**
   * One try, which takes no longer than half of the deadline: a connection that died in silence must not cost us the
   * lease. Answers with how long to wait before the next one. Only an end of ctx and a lost lease are thrown.
   */
  async #try(act: (ctx: Ctx) => Promise<number>, leftMs: number, ctx: Ctx): Promise<number> {
    const { renewDeadlineMs, retryMs } = this.#options
    using deadline = new Deadline(Math.min(leftMs, renewDeadlineMs / 2), () => this.#noAnswer(), ctx)
    try {
      const waitMs = await act({ ...ctx, signal: deadline.signal })
      this.#failures = 0
      return waitMs
    } catch (error) {
      if (ctx.signal.aborted || error instanceof LeaseLost) throw error
      // Another was quicker: that is no trouble. Trouble is told once.
      const level = isConflict(error) || isAlreadyExists(error) || this.#failures++ > 0 ? 'debug' : 'warn'
      ctx.log[level]('Trying again to reach the lease', { Lease: this.#name, error })
      return Math.max(retryMs, error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0)
    }
  }

  /** Takes the lease if nobody has it; answers with how long to wait before it is worth looking again. */
  async #take(ctx: Ctx): Promise<number> {
    const { retryMs, random } = this.#options
    this.#lease = await this.#read(ctx)
    this.#elder ??= this.#inOurPod()
    this.#observe(ctx)
    const othersMs = this.#other.until - this.#clock.monotonic()
    if (othersMs <= 0) {
      await this.#write(ctx)
      return 0
    }
    return Math.min(othersMs, retryMs * (1 + random() / 5))
  }

  async #renew(ctx: Ctx): Promise<number> {
    try {
      await this.#write(ctx)
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error) && !isAlreadyExists(error)) throw error
      // Our own last write may have been done without an answer; somebody may have labelled or deleted the object.
      this.#lease = this.#asOurs(await this.#read(ctx))
      await this.#write(ctx)
    }
    return this.#options.retryMs
  }

  /** What stands there now, if it is still ours; there may be nothing. */
  #asOurs(lease: LeaseObject | undefined): LeaseObject | undefined {
    const holder = lease?.spec?.holderIdentity
    if (lease && holder !== this.#options.identity) throw this.#taken(holder ?? '')
    if (!lease?.spec || (renewedAt(lease.spec) ?? 0) >= this.#renewedAt) return lease
    // An older copy of etcd: what this process has written down since is lost, so it has not led for long any more.
    return { ...lease, spec: { ...lease.spec, acquireTime: null } }
  }

  #inOurPod(): string {
    const holder = this.#lease?.spec?.holderIdentity ?? ''
    return isOfSamePod(holder, this.#options.identity) ? holder : ''
  }

  /** Notes whose the lease is. One that vanished goes on counting: its holder need not know yet. */
  #observe(ctx: Ctx): void {
    const spec = this.#lease?.spec
    if (!spec) return
    const holder = spec.holderIdentity ?? ''
    if (holder !== this.#options.identity)
      this.#predecessor = { holder, renewedAt: renewedAt(spec), ledForMs: ledForMs(spec) }
    const record = JSON.stringify(spec)
    if (record === this.#other.record) return
    const durationMs = spec.leaseDurationSeconds ? spec.leaseDurationSeconds * 1000 : this.#options.durationMs
    const isOthers = holder !== '' && holder !== this.#options.identity && holder !== this.#elder
    this.#other = { record, until: isOthers ? this.#clock.monotonic() + durationMs : Number.NEGATIVE_INFINITY }
    if (isOthers) ctx.log.debug('Waiting for the lease', { Lease: this.#name, holder })
  }

  async #read(ctx: Ctx): Promise<LeaseObject | undefined> {
    try {
      return await this.#options.client.get<LeaseObject>(leases, this.#options.lease, ctx)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async #write(ctx: Ctx): Promise<void> {
    const { client, lease: ref, identity, durationMs, renewDeadlineMs } = this.#options
    const begun = this.#clock.monotonic()
    const spec = claimed(this.#lease?.spec, { identity, durationMs, nowMs: this.#clock.now() })
    this.#hasWritten = true
    this.#lease = this.#lease
      ? await this.#patch(this.#lease, spec, ctx)
      : await client.create<LeaseObject>(leases, { metadata: ref, spec }, ctx)
    this.#renewedAt = renewedAt(spec) ?? 0
    this.#heldUntil = begun + renewDeadlineMs
  }

  async #patch(lease: LeaseObject, spec: object, ctx: Ctx): Promise<LeaseObject> {
    const patch = { metadata: { resourceVersion: lease.metadata.resourceVersion }, spec }
    return this.#options.client.mergePatch<LeaseObject>(leases, this.#options.lease, { patch }, ctx)
  }

  /**
   * So that the next one need not wait. Whoever acts has been stopped before; a lease on which we may not count any
   * more is left to run out, but one that we wrote for and never got the answer is given back, too.
   */
  async #giveBack(ctx: Ctx): Promise<void> {
    const mayBeOurs = this.#hasHeld ? this.held() : this.#hasWritten
    this.#heldUntil = Number.NEGATIVE_INFINITY
    if (!mayBeOurs) return
    // The signal of ctx has fired: this is the one thing that is done after it.
    const own = { ...ctx, signal: new AbortController().signal }
    using deadline = new Deadline(this.#options.retryMs, () => this.#noAnswer(), own)
    const last = { ...ctx, signal: deadline.signal }
    try {
      const lease = await this.#read(last)
      if (lease?.spec?.holderIdentity !== this.#options.identity) return
      await this.#patch(lease, givenBack(this.#clock.now()), last)
      ctx.log.info('Lease given back', { Lease: this.#name })
    } catch (error) {
      ctx.log.warn('Going without giving back the lease; the next holder waits until it runs out', { error })
    }
  }

  get #left(): number {
    return this.#heldUntil - this.#clock.monotonic()
  }

  get #name(): string {
    const { namespace, name } = this.#options.lease
    return `${namespace}/${name}`
  }

  #noAnswer(): ApiError {
    const message = `No answer in time about the lease ${this.#name}.`
    return new ApiError({ status: 0, reason: 'Timeout', message })
  }

  #notRenewed(): LeaseLost {
    const seconds = this.#options.renewDeadlineMs / 1000
    return new LeaseLost(
      `The lease ${this.#name} could not be renewed for ${seconds} s, so another replica may take over; this one ends and may be started again.`,
    )
  }

  #taken(holder: string): LeaseLost {
    const by = holder === '' ? 'was given away' : `is held by ${holder}`
    return new LeaseLost(`The lease ${this.#name} ${by}; this replica ends and may be started again.`)
  }
}
