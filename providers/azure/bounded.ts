import type { Ctx } from '../../api/ctx.ts'

/** Longer than a request may take: the rest is for a token. */
const longestMs = 45_000

/** What the work gives, unless the signal fires or it takes too long: nobody waits for an authority that never answers. */
export async function bounded<T>(work: PromiseLike<T>, { clock, signal }: Ctx): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const abort = () => ended.reject(named('AbortError'))
  const cancel = clock.after(longestMs, () => ended.reject(named('TimeoutError')))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

function named(name: string): Error {
  return Object.assign(new Error('The call was given up.'), { name })
}
