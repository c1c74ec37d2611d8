import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import { turnAfterMs } from './limiter.ts'

/** Kinds after which the next call may succeed. */
const passing: ReadonlySet<RefusalKind> = new Set(['throttled', 'transient', 'ambiguous'])

/** A page is requested so often, and then no more. */
export const callsForAPage = 3
const firstPauseMs = 500
/**
 * A worker may wait for the list. So a page is given up at once where the cloud does not answer for long, or asks for a
 * long pause.
 */
const patienceMs = 5_000

/**
 * One page of a list, requested again where it was refused or its answer was lost. A list is many calls, and without
 * one of them there is none. If a cloud refuses three calls in ten, not one list of ten pages in thirty would be whole.
 * Each failure would repeat the pages before it, after a longer pause.
 */
export async function retryPage<T>(
  page: () => Promise<T>,
  { clock, signal }: Pick<Ctx, 'clock' | 'signal'>,
): Promise<T> {
  const until = clock.monotonic() + patienceMs
  for (let calls = 1; ; calls++) {
    try {
      return await page()
    } catch (thrown) {
      if (!isPassing(thrown) || calls === callsForAPage || signal.aborted) throw thrown
      const pauseMs = Math.max(firstPauseMs * 2 ** (calls - 1), thrown.retryAfterMs ?? 0)
      if (clock.monotonic() + pauseMs > until) throw thrown
      await clock.sleep(pauseMs, signal).catch(() => Promise.reject(thrown))
    }
  }
}

/** A call that our own limiter put off has a time at which it may go. */
function isPassing(thrown: unknown): thrown is CloudError {
  return thrown instanceof CloudError && passing.has(thrown.kind) && turnAfterMs(thrown) === undefined
}
