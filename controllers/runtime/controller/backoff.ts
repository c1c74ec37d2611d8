export interface BackoffRange {
  /** The wait after the first failure. */
  readonly initialMs: number
  /** No wait is longer. */
  readonly maxMs: number
}

export interface BackoffInput extends BackoffRange {
  /** The failures in a row, this one included. */
  readonly failures: number
  /**
   * From 0 (wait the whole time) to 1 (wait half of it), so that many keys that failed together do not come back
   * together.
   */
  readonly jitter: () => number
}

/**
 * Milliseconds to wait. The time doubles with every failure up to the maximum; the jitter then removes up to half of
 * it.
 */
export function backoffMs({ failures, initialMs, maxMs, jitter }: BackoffInput): number {
  const whole = Math.min(maxMs, initialMs * 2 ** Math.max(0, failures - 1))
  return Math.round(whole * (1 - jitter() / 2))
}
