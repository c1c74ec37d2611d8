export interface BackoffRange {
  /** The wait after the first failure. */
  readonly initialMs: number
  /** No wait is longer. */
  readonly maxMs: number
}

export interface BackoffInput extends BackoffRange {
  /** How many failures there were in a row, this one included. */
  readonly failures: number
  /**
   * From 0 (wait the whole time) up to 1 (wait half of it), so that many who failed together do not come back together.
   */
  readonly jitter: () => number
}

/** In whole milliseconds: doubles with every failure up to the maximum, then takes away up to half. */
export function backoffMs({ failures, initialMs, maxMs, jitter }: BackoffInput): number {
  const whole = Math.min(maxMs, initialMs * 2 ** Math.max(0, failures - 1))
  return Math.round(whole * (1 - jitter() / 2))
}
