/** A longer wait is a mistake of the server. */
const longestSeconds = 300

/** The wait of a Retry-After header, in milliseconds; undefined for any other text than a number of seconds. */
export function retryAfterMs(header: unknown): number | undefined {
  const seconds = Number(header)
  const isAsked = typeof header === 'string' && Number.isFinite(seconds) && seconds >= 0
  return isAsked ? Math.min(seconds, longestSeconds) * 1_000 : undefined
}
