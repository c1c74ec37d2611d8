import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../../api/ctx.ts'
import { isConflict } from '../client/api-error.ts'
import { backoffMs, type BackoffRange } from './backoff.ts'
import type { Result } from './result.ts'
import type { Queue } from './queue.ts'

export interface ControllerOptions {
  readonly name: string
  /** The name of the log field that holds the key. */
  readonly kind?: string
  readonly queue: Queue
  /** One pass over one key. To be called again is a result. A throw is a failure. */
  reconcile(key: string, ctx: Ctx): Promise<Result>
  /** The number of keys that are reconciled at once. One key is never reconciled twice at once. */
  readonly workers: number
  readonly backoff?: BackoffRange
  readonly random?: () => number
  /** Called after every pass, except a pass that the end of the program aborted. */
  readonly onPass?: ((made: PassMade) => void) | undefined
  /** The reason why no pass may begin now. Undefined: passes may begin. */
  readonly held?: (() => string | undefined) | undefined
}

/** The result of one pass. 'again': the key is requeued. 'conflict': another writer has changed the object. */
export interface PassMade {
  readonly result: 'done' | 'again' | 'conflict' | 'failed'
  readonly ms: number
}

const failureBackoff: BackoffRange = { initialMs: 200, maxMs: 300_000 }
/** The cache needs a moment to show the other writer's change. Many writers must not make the controller spin. */
const conflictBackoff: BackoffRange = { initialMs: 50, maxMs: 2_000 }

/** Takes keys from the queue until ctx ends, then waits for the passes under way. A throw of a pass does not end it. */
export async function runController(options: ControllerOptions, ctx: Ctx): Promise<void> {
  const attempts = new Attempts(options)
  const work = async () => {
    for (let key = await taken(options.queue, ctx); key !== undefined; key = await taken(options.queue, ctx)) {
      try {
        await untilFree(options, ctx)
        const next = await pass(key, { options, attempts }, ctx)
        if (next !== 'done') options.queue.add(key, { after: next.requeueAfterMs, priority: next.priority })
      } finally {
        options.queue.done(key)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.workers) }, work))
}

/** Undefined after the queue has been shut down. */
async function taken(queue: Queue, { signal }: Ctx): Promise<string | undefined> {
  return queue.take(signal).catch(() => undefined)
}

const lookEveryMs = 250

/** While a pass may not write, it would only fail, and each failure makes the next wait longer. */
async function untilFree({ held, name }: ControllerOptions, ctx: Ctx): Promise<void> {
  for (let why = held?.(); why !== undefined && !ctx.signal.aborted; why = held?.()) {
    ctx.log.debug('No pass begins for now', { controller: name, reason: why })
    // The pass sees the end of ctx.
    await ctx.clock.sleep(lookEveryMs, ctx.signal).catch(() => {})
  }
}

interface Pass {
  readonly options: ControllerOptions
  readonly attempts: Attempts
}

async function pass(key: string, { options, attempts }: Pass, ctx: Ctx): Promise<Result> {
  const log = ctx.log.with({ controller: options.name, [options.kind ?? 'key']: key, reconcileID: randomUUID() })
  const begunAt = ctx.clock.monotonic()
  const made = (result: PassMade['result']) => options.onPass?.({ result, ms: ctx.clock.monotonic() - begunAt })
  try {
    const next = await options.reconcile(key, { ...ctx, log })
    made(next === 'done' ? 'done' : 'again')
    attempts.succeeded(key)
    if (next !== 'done') log.debug('Looking again later', { afterMs: next.requeueAfterMs, reason: next.reason })
    return next
  } catch (error) {
    if (ctx.signal.aborted) {
      log.debug('Stopping in the middle of a pass', { error })
      return 'done'
    }
    made(isConflict(error) ? 'conflict' : 'failed')
    const after = attempts.failed(key, error)
    if (isConflict(error)) log.debug('Trying again, the object has changed meanwhile', { afterMs: after, error })
    else log.error('Trying again after a failure', { afterMs: after, error })
    return { requeueAfterMs: after, reason: 'failure' }
  }
}

/** Counts the failures in a row of each key. A key that succeeds is removed. */
class Attempts {
  readonly #failures = new Map<string, number>()
  readonly #conflicts = new Map<string, number>()
  readonly #backoff: BackoffRange
  readonly #jitter: () => number

  constructor({ backoff = failureBackoff, random = Math.random }: ControllerOptions) {
    this.#backoff = backoff
    this.#jitter = random
  }

  succeeded(key: string): void {
    this.#failures.delete(key)
    this.#conflicts.delete(key)
  }

  /** Returns how long to wait. */
  failed(key: string, error: unknown): number {
    const counts = isConflict(error) ? this.#conflicts : this.#failures
    const failures = (counts.get(key) ?? 0) + 1
    counts.set(key, failures)
    const backoff = isConflict(error) ? conflictBackoff : this.#backoff
    return Math.max(askedWait(error), backoffMs({ failures, ...backoff, jitter: this.#jitter }))
  }
}

/** Errors of the API server and of clouds carry the wait that they were told. */
function askedWait(error: unknown): number {
  const { retryAfterMs } = (error ?? {}) as { retryAfterMs?: unknown }
  return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? retryAfterMs : 0
}
