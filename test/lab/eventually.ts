import { setTimeout as sleep } from 'node:timers/promises'

export interface Patience {
  /** The sum of the pauses. The time of the checks does not count: on a slow computer they are slow, as all else is. */
  readonly timeoutMs?: number
  /** Left out: pauses that grow from 0.1 s to 0.5 s. Each check costs the API server time, and there are hundreds. */
  readonly everyMs?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/**
 * Calls `check` until it no longer throws, and returns its result. Use `expect` in `check`: after the timeout its last
 * error shows the actual state.
 */
export async function eventually<T>(
  what: string,
  check: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs, signal }: Patience = {},
): Promise<T> {
  let waitedMs = 0
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (waitedMs >= timeoutMs) {
        const seen = error instanceof Error ? error.message : String(error)
        throw new Error(`${what}: not within ${timeoutMs / 1000} s. Last seen: ${seen}`, { cause: error })
      }
    }
    const pauseMs = everyMs ?? Math.min(500, Math.max(100, waitedMs / 20))
    await sleep(pauseMs, undefined, signal ? { signal } : {})
    waitedMs += pauseMs
  }
}
