/** More than this is no wait that anybody means. */
const longestSeconds = 300

/** What a Retry-After header asks for, in milliseconds; undefined where it says no number of seconds. */
export function retryAfterMs(header: unknown): number | undefined {
  const seconds = Number(header)
  const isAsked = typeof header === 'string' && Number.isFinite(seconds) && seconds >= 0
  return isAsked ? Math.min(seconds, longestSeconds) * 1_000 : undefined
}
