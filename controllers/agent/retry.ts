import type { Ctx } from '../../api/ctx.ts'
import { Refused } from './api-server.ts'

const firstMs = 250
/** An API server that is back has to be told soon. */
const longestMs = 3_000
/** A refusal that lasts is a wrong role or policy: a person has to change it. */
const longestRefusedMs = 60_000

/** Failures of one sort in a row. */
export interface Failures {
  readonly count: number
  /** The API server answers and refuses. A server that starts does so for a moment: it does not know the roles yet. */
  readonly areRefusals: boolean
}

export function oneMore(before: Failures | undefined, error: unknown): Failures {
  const areRefusals = isFinal(error)
  return { areRefusals, count: before?.areRefusals === areRefusals ? before.count + 1 : 1 }
}

/**
 * Milliseconds until the next try. They double up to the longest, and up to half is taken off at random: all Nodes lose
 * the API server together.
 */
export function retryMs({ count, areRefusals }: Failures, random: () => number = Math.random): number {
  const longest = areRefusals ? longestRefusedMs : longestMs
  return Math.min(longest, firstMs * 2 ** Math.min(count - 1, 20)) * (1 - random() / 2)
}

function isFinal(error: unknown): boolean {
  return error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Repeats it until it has succeeded. */
export async function untilDone<T>(run: () => Promise<T>, ctx: Ctx): Promise<T> {
  for (let failures: Failures | undefined; ;) {
    try {
      return await run()
    } catch (error) {
      if (ctx.signal.aborted) throw error
      if (!failures) ctx.log.warn('The API server does not answer as needed', { error: String(error) })
      failures = oneMore(failures, error)
      await ctx.clock.sleep(retryMs(failures), ctx.signal)
    }
  }
}
