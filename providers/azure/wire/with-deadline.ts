import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { unlessAborted } from '../../../api/unless-aborted.ts'
import { longestCallMs, longestTokenMs } from '../../wire/limits.ts'

/** The token is got within the request. */
const longestMs = longestCallMs + longestTokenMs

/**
 * What the work gives, unless the signal fires or it takes too long: nobody waits for an authority that never answers.
 * The work's own signal fires then, so that nothing is sent with a token that comes later.
 */
export async function withDeadline<T>(begin: (signal: AbortSignal) => PromiseLike<T>, ctx: Ctx): Promise<T> {
  if (ctx.signal.aborted) throw named('AbortError')
  using deadline = new Deadline(longestMs, () => named('TimeoutError'), ctx)
  const { signal } = deadline
  try {
    return await unlessAborted(Promise.resolve(begin(signal)), signal)
  } catch (thrown) {
    // What errors.ts goes by is the name.
    throw signal.aborted && !deadline.isOver && thrown === signal.reason ? named('AbortError') : thrown
  }
}

function named(name: string): Error {
  return Object.assign(new Error('The call was cancelled.'), { name })
}
