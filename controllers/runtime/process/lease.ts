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
   * Unique to this process. `<pod>/<random>` says in which pod it runs. If the first read shows a holder in the same
   * pod, the process takes over at once: that holder ran before and has been restarted.
   */
  readonly identity: string
  /** How long others wait after our last renewal. */
  readonly durationMs?: number
  /** How long we rely on the lease after the start of a renewal. Well below `durationMs`. */
  readonly renewDeadlineMs?: number
  readonly retryMs?: number
  readonly random?: () => number
}

/** The content of the lease when this process took it. */
export interface Predecessor {
  /** Empty if the lease had been released. */
  readonly holder: string
  /** The last renewal or release, by the holder's own clock. Undefined if the lease does not say. */
  readonly renewedAt: number | undefined
  /** How long it had led at that time. */
  readonly ledForMs: number | undefined
}

/** The lease is no longer ours. The process has to end, because another one may be active. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * A Lease decides which of several processes acts. The laws are those of client-go:
 * - Clocks of two machines are never compared. A holder counts as alive while its record changes within its own
 *   duration, measured by our monotonic clock.
 * - Every write has the version that was read as its precondition, so only one of two writers gets the lease.
 * - The holder relies on its lease from the *start* of a renewal, and for less time than others wait. So two processes
 *   never hold it at once if their clocks run at the same speed. That is true with late or lost answers, and when a
 *   stopped process wakes up.
 * - A lost lease stays lost: `run` rejects, and the process has to end.
 *
 * Two processes of one pod are the exception. The kubelet may lose sight of a container whose process still runs. Then
 * both hold the lease until the older one tries to renew it: for two seconds, and for ten while the API server does not
 * answer it.
 *
 * A write to a cloud that began while the lease was held may still be under way when another process takes over. It is
 * harmless because of the attempt's token and the versions of objects, not because of the lease.
 */
export class Lease {
  readonly #options: Required<LeaseOptions>
  readonly #clock: Clock
  readonly #acquired = Promise.withResolvers<void>()
  /** The API server's last answer. Its version is the precondition of our next write. */
  #lease: LeaseObject | undefined
  /** The last record of another holder, and until when it counts. */
  #other = { record: '', until: Number.NEGATIVE_INFINITY }
  /** The holder at our first read, if it was a process of our own pod, else ''. Undefined before that read. */
  #elder: string | undefined
  #predecessor: Predecessor | undefined
  /** The time in our last renewal that was answered. */
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

  /** Whether the lease is ours now. Check it right before each act: the answer is valid only at this moment. */
  held(): boolean {
    return this.#clock.monotonic() < this.#heldUntil
  }

  /** Whether the lease was ours and is lost. The process is about to end. */
  lost(): boolean {
    return this.#hasHeld && !this.held()
  }

  /** Undefined until the lease is ours, and if there was none before. */
  predecessor(): Predecessor | undefined {
    return this.#hasHeld ? this.#predecessor : undefined
  }

  async acquired({ signal }: Ctx): Promise<void> {
    await unlessAborted(this.#acquired.promise, signal)
  }

  /** Waits for the lease, keeps it until ctx ends, then releases it. Throws LeaseLost. */
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
      // There is one more try before the deadline, however long the API server asks us to wait.
      const longestMs = Math.max(retryMs, this.#left - retryMs)
      await ctx.clock.sleep(Math.min(waitMs, longestMs, this.#left), ctx.signal)
      if (this.#left <= 0) throw this.#notRenewed()
      waitMs = await this.#try((own) => this.#renew(own), this.#left, ctx)
      if (this.#left <= 0) throw this.#notRenewed()
    }
  }

  /**
   * One try. It takes no longer than half of the deadline: a dead connection must not cost us the lease. Returns how
   * long to wait before the next try. Throws only when ctx has ended or the lease is lost.
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
      // It is normal that another process was quicker. Other failures are logged once as a warning.
      const level = isConflict(error) || isAlreadyExists(error) || this.#failures++ > 0 ? 'debug' : 'warn'
      ctx.log[level]('Trying again to reach the lease', { Lease: this.#name, error })
      return Math.max(retryMs, error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0)
    }
  }

  /** Takes the lease if nobody has it. Returns how long to wait before the next look. */
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
      // Our own last write may have been done without an answer, or another writer has labelled or deleted the object.
      this.#lease = this.#asOurs(await this.#read(ctx))
      await this.#write(ctx)
    }
    return this.#options.retryMs
  }

  /** Returns the current lease if it is still ours, or if there is none. */
  #asOurs(lease: LeaseObject | undefined): LeaseObject | undefined {
    const holder = lease?.spec?.holderIdentity
    if (lease && holder !== this.#options.identity) throw this.#taken(holder ?? '')
    if (!lease?.spec || (renewedAt(lease.spec) ?? 0) >= this.#renewedAt) return lease
    // etcd was restored from an older copy, and lost the writes of this process since then. So the process no longer
    // counts as long in the lead.
    return { ...lease, spec: { ...lease.spec, acquireTime: null } }
  }

  #inOurPod(): string {
    const holder = this.#lease?.spec?.holderIdentity ?? ''
    return isOfSamePod(holder, this.#options.identity) ? holder : ''
  }

  /** Notes the holder. A lease that vanished still counts, because its holder may not know it yet. */
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
   * Releases the lease, so that the next process need not wait. The controllers have stopped before. A lease that may
   * be another's already is left to expire. A lease whose write had no answer is released too.
   */
  async #giveBack(ctx: Ctx): Promise<void> {
    const mayBeOurs = this.#hasHeld ? this.held() : this.#hasWritten
    this.#heldUntil = Number.NEGATIVE_INFINITY
    if (!mayBeOurs) return
    // The signal of ctx has fired. This is the only call that is made after it.
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
