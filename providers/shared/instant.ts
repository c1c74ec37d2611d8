/** A time that a cloud has written, in milliseconds; undefined for any other text. */
export function instantOf(text: unknown): number | undefined {
  const ms = text instanceof Date ? text.getTime() : typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}

/** The time of a launch: the first of these texts that is a time. */
export function launchedAt(...times: readonly unknown[]): { launchedAt?: number } {
  const [at] = times.flatMap((time) => instantOf(time) ?? [])
  return at === undefined ? {} : { launchedAt: at }
}
