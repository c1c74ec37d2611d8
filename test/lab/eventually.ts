import { setTimeout as sleep } from 'node:timers/promises'

export interface Patience {
  readonly timeoutMs?: number
  readonly everyMs?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/**
 * Asks again until `check` no longer throws, and answers with what it returned. Say in `check` what must hold with
 * `expect`: when time is up, its last complaint tells what was seen instead.
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
