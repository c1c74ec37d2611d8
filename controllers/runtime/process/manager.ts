import type { Ctx } from '../../../api/ctx.ts'
import { unlessAborted } from '../../../api/unless-aborted.ts'

/** A part of the program that runs as long as the program does. */
export interface Runnable {
  readonly name: string
  /** Ends when ctx ends. If it ends or throws before, the whole program stops. */
  run(ctx: Ctx): Promise<void>
  /** The next runnable starts when this resolves. */
  ready?(ctx: Ctx): Promise<void>
  /** How long all others together may take to end when this one fails. Default: as at any other end. */
  readonly leavesMs?: number
}

export interface ManagerOptions {
  readonly runnables: readonly Runnable[]
  /** How long each may take to end. Default: 15 s. */
  readonly stopMs?: number
}

/**
 * Starts the runnables in order, each when the one before is ready, and runs until ctx ends or one of them fails. Then
 * it stops them in reverse. Rejects with a sentence if something else than ctx ended it.
 */
export async function runManager({ runnables, stopMs = 15_000 }: ManagerOptions, ctx: Ctx): Promise<void> {
  const failure = Promise.withResolvers<never>()
  let overAt = Infinity
  const fail = ({ leavesMs = Infinity }: Runnable, error: Error) => {
    overAt = Math.min(overAt, ctx.clock.monotonic() + leavesMs)
    failure.reject(error)
  }
  const patienceMs = () => Math.min(stopMs, Math.max(0, overAt - ctx.clock.monotonic()))
  // A caller that waits sees the failure. If none waits at that moment, it is not an unhandled rejection.
  failure.promise.catch(() => {})
  await using stack = new AsyncDisposableStack()
  for (const runnable of runnables) {
    if (ctx.signal.aborted) return
    const { running, stop } = start(runnable, (error) => fail(runnable, error), ctx)
    stack.defer(() => stopped(runnable, { running, stop, stopMs: patienceMs() }, ctx))
    const ready = runnable.ready?.(ctx) ?? Promise.resolve()
    const failed = ready.catch((error: unknown) => {
      throw ctx.signal.aborted ? error : failureOf(runnable, 'did not become ready', error)
    })
    if (!(await untilEnd(Promise.race([failed, failure.promise]), ctx))) return
    ctx.log.debug('Running', { runnable: runnable.name })
  }
  await untilEnd(failure.promise, ctx)
}

/** False when ctx ended first. */
async function untilEnd(promise: Promise<void>, { signal }: Ctx): Promise<boolean> {
  try {
    await unlessAborted(promise, signal)
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

function start(runnable: Runnable, fail: (error: Error) => void, ctx: Ctx) {
  const controller = new AbortController()
  const run = async () => {
    try {
      await runnable.run({ ...ctx, signal: controller.signal })
      if (!controller.signal.aborted) fail(new Error(`"${runnable.name}" ended, though nothing asked it to.`))
    } catch (error) {
      if (!controller.signal.aborted) fail(failureOf(runnable, 'failed', error))
      else if (error !== controller.signal.reason) {
        ctx.log.warn('Going on after a failure while stopping', { runnable: runnable.name, error })
      }
    }
  }
  return { running: run(), stop: () => controller.abort(ctx.signal.reason) }
}

interface Stopping {
  readonly running: Promise<void>
  readonly stop: () => void
  readonly stopMs: number
}

async function stopped(runnable: Runnable, { running, stop, stopMs }: Stopping, ctx: Ctx): Promise<void> {
  stop()
  const late = Promise.withResolvers<'late'>()
  const cancel = ctx.clock.after(stopMs, () => late.resolve('late'))
  const how = await Promise.race([running, late.promise])
  cancel()
  if (how === 'late') ctx.log.warn('Going on without one that does not stop', { runnable: runnable.name, stopMs })
  else ctx.log.debug('Stopped', { runnable: runnable.name })
}

function failureOf({ name }: Runnable, what: string, error: unknown): Error {
  return new Error(`"${name}" ${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}
