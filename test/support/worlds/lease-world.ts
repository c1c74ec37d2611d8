import { ApiError } from '../../../controllers/runtime/client/api-error.ts'
import { Lease, type LeaseOptions } from '../../../controllers/runtime/process/lease.ts'
import type { LeaseObject, LeaseSpec } from '../../../controllers/runtime/process/lease-record.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../fakes/quiet-ctx.ts'

/** What becomes of one request to the API server. */
export interface Fate {
  /** On its way to the API server. */
  readonly thereMs: number
  /** The answer's way back. */
  readonly backMs: number
  /** Lost on the way there, lost on the way back (done all the same), or refused by the API server. */
  readonly fault?: 'none' | 'request' | 'answer' | 'refused'
  /** What a refusal asks for. */
  readonly retryAfterMs?: number
}

const promptly: Fate = { thereMs: 0, backMs: 0 }

/** One Lease as etcd keeps it: every write has the version as its precondition. */
export class LeaseStore {
  spec: LeaseSpec | undefined
  /** Each write that was done, in order. */
  readonly written: LeaseSpec[] = []
  #version = 0

  read(): LeaseObject {
    if (!this.spec) throw new ApiError({ status: 404, reason: 'NotFound', message: 'no such lease' })
    return { metadata: { namespace: 'ns', name: 'l', resourceVersion: String(this.#version) }, spec: this.spec }
  }

  create(spec: LeaseSpec): LeaseObject {
    if (this.spec) throw new ApiError({ status: 409, reason: 'AlreadyExists', message: 'the lease exists' })
    return this.put(spec)
  }

  patch(version: unknown, spec: LeaseSpec): LeaseObject {
    const { metadata } = this.read()
    if (version !== metadata.resourceVersion) {
      throw new ApiError({ status: 409, reason: 'Conflict', message: 'the lease has been modified' })
    }
    return this.put({ ...this.spec, ...spec })
  }

  put(spec: LeaseSpec): LeaseObject {
    this.#version++
    this.spec = spec
    this.written.push(spec)
    return this.read()
  }

  delete(): void {
    this.spec = undefined
  }
}

/**
 * The clock of one process: its wall clock and its monotonic clock are its own, and while it is stopped nothing runs.
 */
class ProcessClock extends FakeClock {
  readonly #world: FakeClock
  readonly #baseMs: number
  skewMs = 0
  #stopped: (() => void)[] | undefined

  constructor(world: FakeClock, baseMs: number) {
    super()
    this.#world = world
    this.#baseMs = baseMs
  }

  override now(): number {
    return this.#world.now() + this.skewMs
  }

  override monotonic(): number {
    return this.#world.monotonic() + this.#baseMs
  }

  override after(ms: number, run: () => void): () => void {
    let cancelled = false
    const act = () => {
      if (!cancelled) run()
    }
    const cancel = this.#world.after(ms, () => (this.#stopped ? void this.#stopped.push(act) : act()))
    return () => {
      cancelled = true
      cancel()
    }
  }

  /** SIGSTOP. */
  stop(): void {
    this.#stopped ??= []
  }

  /**
   * SIGCONT: all that fell due meanwhile happens now. In which order timers and answers are seen is nobody's promise.
   */
  resume(backwards = false): void {
    const due = this.#stopped ?? []
    this.#stopped = undefined
    for (const run of backwards ? due.toReversed() : due) run()
  }
}

/** A process that wants the lease, on a machine with its own clocks and its own way to the API server. */
export class Candidate {
  readonly clock: ProcessClock
  readonly log = keptLog()
  readonly lease: Lease
  /** What becomes of its next requests; promptly done when there are none left. */
  readonly fates: Fate[] = []
  /** When it asked, by the clock of the world. */
  readonly asked: number[] = []
  /** How its run ended: 'stopped', or with what it threw. */
  ended: unknown
  readonly #world: FakeClock
  readonly #store: LeaseStore
  readonly #end = new AbortController()

  constructor(
    parts: { world: FakeClock; store: LeaseStore; baseMs?: number; skewMs?: number },
    options: Partial<LeaseOptions>,
  ) {
    this.#world = parts.world
    this.#store = parts.store
    this.clock = new ProcessClock(parts.world, parts.baseMs ?? 0)
    this.clock.skewMs = parts.skewMs ?? 0
    const client = this.#client()
    const given = { client, lease: { namespace: 'ns', name: 'l' }, identity: 'a', random: () => 0, ...options }
    this.lease = new Lease(given, { clock: this.clock })
  }

  start(): this {
    const ctx = quietCtx({ clock: this.clock, log: this.log, signal: this.#end.signal })
    void this.lease.run(ctx).then(
      () => (this.ended = 'stopped'),
      (error: unknown) => (this.ended = error),
    )
    return this
  }

  /** SIGTERM. */
  end(): void {
    this.#end.abort(new Error('SIGTERM'))
  }

  #client(): LeaseOptions['client'] {
    const asked = <T>(done: () => LeaseObject, { signal }: Ctx) => this.#ask(done, signal) as Promise<T>
    return {
      get: (_resource, _ref, ctx) => asked(() => this.#store.read(), ctx),
      create: (_resource, object, ctx) => asked(() => this.#store.create((object as LeaseObject).spec ?? {}), ctx),
      mergePatch: (_resource, _ref, { patch }, ctx) => {
        const { metadata, spec } = patch as LeaseObject
        return asked(() => this.#store.patch(metadata.resourceVersion, spec ?? {}), ctx)
      },
    }
  }

  /** A request that its signal ends is still under way: the API server may do it all the same. */
  #ask(done: () => LeaseObject, signal: AbortSignal): Promise<LeaseObject> {
    const { thereMs, backMs, fault, retryAfterMs } = this.fates.shift() ?? promptly
    this.asked.push(this.#world.monotonic())
    const answer = Promise.withResolvers<LeaseObject>()
    signal.addEventListener('abort', () => answer.reject(signal.reason), { once: true })
    if (signal.aborted) answer.reject(signal.reason)
    if (fault === 'request') return answer.promise
    this.#world.after(thereMs, () => {
      const deliver = this.#outcome(done, fault === 'refused' ? { retryAfterMs } : undefined)
      if (fault !== 'answer') this.clock.after(backMs, () => deliver(answer))
    })
    return answer.promise
  }

  #outcome(
    done: () => LeaseObject,
    refused?: { retryAfterMs: number | undefined },
  ): (answer: PromiseWithResolvers<LeaseObject>) => void {
    try {
      if (refused) {
        throw new ApiError({ status: 503, reason: 'ServiceUnavailable', message: 'etcd is away', ...refused })
      }
      const lease = done()
      return ({ resolve }) => resolve(lease)
    } catch (error) {
      return ({ reject }) => reject(error)
    }
  }
}
