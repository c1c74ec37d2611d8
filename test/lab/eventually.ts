import { setTimeout as sleep } from 'node:timers/promises'

export interface Patience {
  readonly timeoutMs?: number
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
  { timeoutMs = 30_000, everyMs = 100, signal }: Patience = {},
): Promise<T> {
  const began = performance.now()
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() - began >= timeoutMs) {
        const seen = error instanceof Error ? error.message : String(error)
        throw new Error(`${what}: not within ${timeoutMs / 1000} s. Last seen: ${seen}`, { cause: error })
      }
    }
    await sleep(everyMs, undefined, signal ? { signal } : {})
  }
}
