import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { unlessAborted } from '../../../api/unless-aborted.ts'
import { longestCallMs, longestTokenMs } from '../../wire/limits.ts'

/** The request includes getting a token. */
const longestMs = longestCallMs + longestTokenMs

/**
 * The result of the work, unless the signal fires or it takes too long: no caller waits for an authority that never
 * answers. Then the work's own signal fires, so that nothing is sent with a token that comes later.
 */
export async function withDeadline<T>(begin: (signal: AbortSignal) => PromiseLike<T>, ctx: Ctx): Promise<T> {
  if (ctx.signal.aborted) throw named('AbortError')
  using deadline = new Deadline(longestMs, () => named('TimeoutError'), ctx)
  const { signal } = deadline
  try {
    return await unlessAborted(Promise.resolve(begin(signal)), signal)
  } catch (thrown) {
    // errors.ts goes by the name.
    throw signal.aborted && !deadline.isOver && thrown === signal.reason ? named('AbortError') : thrown
  }
}

function named(name: string): Error {
  return Object.assign(new Error('The call was cancelled.'), { name })
}
