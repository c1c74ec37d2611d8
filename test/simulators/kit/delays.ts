/**
 * How long a cloud takes, in milliseconds of the simulator's clock. What each means there, its own lifecycle.ts says.
 */
export interface Delays {
  readonly bootMs: number
  readonly stopMs: number
  readonly shutdownMs: number
  readonly noticeMs: number
}

/** What is not given is short, and of an interruption no notice is given. */
export function delaysOf({ bootMs = 2000, stopMs = 1000, shutdownMs = 1000, noticeMs = 0 }: Partial<Delays>): Delays {
  return { bootMs, stopMs, shutdownMs, noticeMs }
}
