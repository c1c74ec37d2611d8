import type { Clock, Ctx, Log } from '../../api/ctx.ts'
import type { WorldClock } from './world-clock.ts'

const silent: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, with: () => silent }

/** The start of the world, by the wall clock. */
export const epoch = Date.UTC(2026, 0, 1)

/** A process: nothing reaches it while it is stopped (SIGSTOP), and never again when it is killed (SIGKILL). */
export class Process {
  readonly name: string
  readonly ctx: Ctx
  /** It is of the version before, and writes attempts as that does. */
  isOlder = false
  /** The error of its wall clock. */
  skewMs = 0
  #state: 'running' | 'stopped' | 'dead' = 'running'
  readonly #waiting: (() => void)[] = []

  constructor(name: string, world: WorldClock, log: Log = silent) {
    this.name = name
    this.ctx = { signal: new AbortController().signal, clock: this.#clock(world), log }
  }

  get isDead(): boolean {
    return this.#state === 'dead'
  }

  get isRunning(): boolean {
    return this.#state === 'running'
  }

  /** An input from outside: an answer, a timer, an event. */
  reach(run: () => void): void {
    if (this.#state === 'running') run()
    else if (this.#state === 'stopped') this.#waiting.push(run)
  }

  stop(): void {
    if (this.#state === 'running') this.#state = 'stopped'
  }

  resume(): void {
    if (this.#state !== 'stopped') return
    this.#state = 'running'
    for (const run of this.#waiting.splice(0)) this.reach(run)
  }

  kill(): void {
    this.#state = 'dead'
    this.#waiting.length = 0
  }

  #clock(world: WorldClock): Clock {
    return {
      now: () => epoch + world.now + this.skewMs,
      monotonic: () => world.now,
      after: (ms, run) => {
        let cancelled = false
        const cancel = world.after(ms, () =>
          this.reach(() => {
            if (!cancelled) run()
          }),
        )
        return () => {
          cancelled = true
          cancel()
        }
      },
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const abort = () => {
            cancel()
            reject(signal.reason as Error)
          }
          const cancel = this.ctx.clock.after(ms, () => {
            signal.removeEventListener('abort', abort)
            resolve()
          })
          if (signal.aborted) abort()
          else signal.addEventListener('abort', abort, { once: true })
        }),
    }
  }
}
