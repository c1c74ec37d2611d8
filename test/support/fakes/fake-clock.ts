import type { Clock } from '../../../api/ctx.ts'

interface Timer {
  at: number
  run: () => void
}

/** A Clock that stands still until the test moves it. Timers run in the order of their time. */
export class FakeClock implements Clock {
  #now: number
  #timers = new Set<Timer>()

  constructor(start: number = Date.UTC(2026, 0, 1)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  /** How many timers wait: 0 after a clean stop. */
  get pending(): number {
    return this.#timers.size
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      const abort = () => {
        cancel()
        reject(signal.reason as Error)
      }
      const cancel = this.after(ms, () => {
        signal.removeEventListener('abort', abort)
        resolve()
      })
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  /** Moves time on, running what falls due on the way and letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settle()
    for (let next = this.#due(end); next; next = this.#due(end)) {
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
      await settle()
    }
    this.#now = end
    await settle()
  }

  #due(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.at <= end && (!first || timer.at < first.at)) first = timer
    }
    return first
  }
}

/** The same clock for code that sleeps: it moves on by as much as anybody wants to sleep. */
export function hasty(clock: FakeClock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, run) => clock.after(ms, run),
    async sleep(ms, signal) {
      const slept = clock.sleep(ms, signal)
      await clock.advance(ms)
      return slept
    },
  }
}

/** Lets every promise that can settle without a timer or I/O do so. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
