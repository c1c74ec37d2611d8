import type { Ctx } from '../../api/ctx.ts'

/** Longer than a request may take: the rest is for a token. */
const longestMs = 45_000

/**
 * What the work gives, unless the signal fires or it takes too long: nobody waits for an authority that never answers.
 * The work's own signal fires then, so that nothing is sent with a token that comes later.
 */
export async function bounded<T>(begin: (signal: AbortSignal) => PromiseLike<T>, { clock, signal }: Ctx): Promise<T> {
  if (signal.aborted) throw named('AbortError')
  const own = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (name: string) => {
    const error = named(name)
    own.abort(error)
    ended.reject(error)
  }
  const abort = () => end('AbortError')
  const cancel = clock.after(longestMs, () => end('TimeoutError'))
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([begin(own.signal), ended.promise])
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

function named(name: string): Error {
  return Object.assign(new Error('The call was given up.'), { name })
}
