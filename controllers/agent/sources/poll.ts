import type { Ctx } from '../../../api/ctx.ts'

export interface Pace {
  /** What is read, for the log. */
  readonly what: string
  /** From the start of a read to the start of the next one. */
  readonly everyMs: number
}

/** The service is on the same host, and a notice may come at any time. */
const slowestMs = 5_000

/** Reads at its pace until the signal fires. Failures in a row slow it down; the first of them is logged. */
export async function poll(read: (ctx: Ctx) => Promise<void>, { what, everyMs }: Pace, ctx: Ctx): Promise<never> {
  const { clock, signal, log } = ctx
  for (let failures = 0; ;) {
    const began = clock.monotonic()
    try {
      await read(ctx)
      if (failures > 0) log.info('The metadata can be read again', { what, failures })
      failures = 0
    } catch (error) {
      signal.throwIfAborted()
      failures++
      if (failures === 1) log.warn('The metadata cannot be read', { what, error: String(error) })
    }
    const pace = Math.max(everyMs, Math.min(slowestMs, everyMs * 2 ** failures))
    await clock.sleep(Math.max(0, began + pace - clock.monotonic()), signal)
  }
}
