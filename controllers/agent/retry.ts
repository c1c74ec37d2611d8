import type { Ctx } from '../../api/ctx.ts'
import { Refused } from './api-server.ts'

const firstMs = 250
/** An API server that is back has to be told soon. */
const longestMs = 3_000
/** A refusal is a wrong role or policy: a person has to change it. */
const refusedMs = 60_000

/**
 * Milliseconds until the next try. They double up to the longest, and up to half is taken off at random: all Nodes lose
 * the API server together.
 */
export function retryMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const longest = isFinal(error) ? refusedMs : longestMs
  return Math.min(longest, firstMs * 2 ** Math.min(failures - 1, 20)) * (1 - random() / 2)
}

function isFinal(error: unknown): boolean {
  return error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Repeats it until it has succeeded. */
export async function untilDone<T>(run: () => Promise<T>, ctx: Ctx): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await run()
    } catch (error) {
      if (ctx.signal.aborted) throw error
      if (failures === 1) ctx.log.warn('The API server does not answer as needed', { error: String(error) })
      await ctx.clock.sleep(retryMs(failures, error), ctx.signal)
    }
  }
}
