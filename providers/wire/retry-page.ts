import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import { turnAfterMs } from './limiter.ts'

/** What the next call may get all the same. */
const passing: ReadonlySet<RefusalKind> = new Set(['throttled', 'transient', 'ambiguous'])

const mostRepeats = 2
const firstPauseMs = 500
/**
 * Who waits for a list holds a worker: a cloud that does not answer, or asks for a long pause, is not persisted with.
 */
const patienceMs = 5_000

/**
 * One page of a list, asked for again where it was refused or its answer was lost. A list is many calls, and without
 * the one it is nothing: of ten pages at a cloud that refuses three calls in ten not one list in thirty would be whole,
 * and every failure would cost the pages before it once more, and a longer pause.
 */
export async function retryPage<T>(
  page: () => Promise<T>,
  { clock, signal }: Pick<Ctx, 'clock' | 'signal'>,
): Promise<T> {
  const until = clock.monotonic() + patienceMs
  for (let repeat = 0; ; repeat++) {
    try {
      return await page()
    } catch (thrown) {
      if (!isPassing(thrown) || repeat === mostRepeats || signal.aborted) throw thrown
      const pauseMs = Math.max(firstPauseMs * 2 ** repeat, thrown.retryAfterMs ?? 0)
      if (clock.monotonic() + pauseMs > until) throw thrown
      await clock.sleep(pauseMs, signal).catch(() => Promise.reject(thrown))
    }
  }
}

/** What our own limiter sends away has its time. */
function isPassing(thrown: unknown): thrown is CloudError {
  return thrown instanceof CloudError && passing.has(thrown.kind) && turnAfterMs(thrown) === undefined
}
