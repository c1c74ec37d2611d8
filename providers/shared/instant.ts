/** A time as a cloud writes it, in milliseconds; nothing where that is no time. */
export function instantOf(text: unknown): number | undefined {
  const ms = text instanceof Date ? text.getTime() : typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}

/** When an instance was launched, by the first of these that is a time. */
export function launchedAt(...times: readonly unknown[]): { launchedAt?: number } {
  const [at] = times.flatMap((time) => instantOf(time) ?? [])
  return at === undefined ? {} : { launchedAt: at }
}
