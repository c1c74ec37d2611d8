import type { Clock } from '../../api/ctx.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'

/** The real time. The agent has a clock of its own because it imports nothing of the manager. */
export const agentClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  async sleep(ms, signal) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = agentClock.after(ms, resolve)
    try {
      await unlessAborted(promise, signal)
    } finally {
      cancel()
    }
  },
}
