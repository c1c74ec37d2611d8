import { setTimeout as sleep } from 'node:timers/promises'
import type { Lab } from '../../lab/lab.ts'
import type { ProgramEnd } from '../../lab/processes/program.ts'

/** Kubelet's pause before the second restart, and the longest one. The first restart has none. */
const firstPauseMs = 10_000
const longestPauseMs = 5 * 60_000

/** A manager and its start: a rig, or a lab with arguments. */
interface Supervised {
  readonly lab: Pick<Lab, 'manager'>
  startManager(args: readonly string[]): Promise<void>
}

/** Starts a rig's manager, and restarts it whenever it ends, as kubelet does with a container. */
export class Supervisor implements AsyncDisposable {
  /** The end of each process. */
  readonly ends: ProgramEnd[] = []
  readonly #rig: Supervised
  readonly #args: readonly string[]
  readonly #stop = new AbortController()
  #supervising: Promise<void> = Promise.resolve()

  private constructor(rig: Supervised, args: readonly string[]) {
    this.#rig = rig
    this.#args = args
  }

  static async start(rig: Supervised, args: readonly string[]): Promise<Supervisor> {
    const supervisor = new Supervisor(rig, args)
    await rig.startManager(args)
    supervisor.#supervising = supervisor.#supervise()
    return supervisor
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#rig.lab.manager.stop()
    await this.#supervising
  }

  async #supervise(): Promise<void> {
    for (let pauseMs = 0; ; pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))) {
      this.ends.push(await this.#rig.lab.manager.exited)
      // The next line detects an end in the middle.
      await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {})
      if (this.#stop.signal.aborted) return
      await this.#rig.startManager(this.#args)
    }
  }
}
