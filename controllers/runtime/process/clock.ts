import type { Clock } from '../../../api/ctx.ts'

/** A longer delay overflows the timer of the platform, which then fires at once. */
const longestTimerMs = 2 ** 31 - 1

/** The real time. The only place that touches the global timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    let timer: NodeJS.Timeout
    const arm = (left: number) => {
      const part = Math.min(left, longestTimerMs)
      timer = setTimeout(() => (left > part ? arm(left - part) : run()), part)
    }
    arm(Math.max(0, ms))
    return () => clearTimeout(timer)
  },
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      const abort = () => {
        cancel()
        reject(signal.reason as Error)
      }
      const cancel = systemClock.after(ms, () => {
        signal.removeEventListener('abort', abort)
        resolve()
      })
      signal.addEventListener('abort', abort, { once: true })
    })
  },
}
