import path from 'node:path'
import { startProgram, type Program, type ProgramEnd } from './program.ts'
import type { Reaper } from '../reaper/reaper.ts'

export interface ManagerStart {
  /** The bundle to run. Left out: that of the lab. */
  readonly entry?: string
  /** Flags beside --kubeconfig. */
  readonly args?: readonly string[]
  /** Variables beside those that lead to the lab's own clouds. */
  readonly env?: NodeJS.ProcessEnv
}

interface Surroundings {
  kubeconfig: string
  /** The endpoints and credentials of its clouds. */
  env: NodeJS.ProcessEnv
  reaper: Reaper
  /** The bundle that it runs. Undefined: the sources. */
  entry: string | undefined
}

const root = path.join(import.meta.dirname, '..', '..', '..')
const sources = path.join(root, 'controllers', 'main.ts')

/**
 * Our manager in its own process with its own user, as in production. Only one runs at a time; a test may restart it
 * any number of times.
 */
export class Manager {
  readonly #surroundings: Surroundings
  #program: Program | undefined

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  async start({ entry = this.#surroundings.entry ?? sources, args = [], env = {} }: ManagerStart = {}): Promise<void> {
    if (this.running) throw new Error('The manager runs already; stop or kill it before it is started again.')
    const { kubeconfig, env: clouds, reaper } = this.#surroundings
    this.#program = await startProgram(
      {
        name: 'manager',
        program: process.execPath,
        args: [entry, '--kubeconfig', kubeconfig, ...args],
        cwd: root,
        // Only the PATH of this computer: an AWS profile must not lead the manager out of the lab.
        env: { PATH: process.env['PATH'], HOME: reaper.folder, CAPSPOT_METRICS_BIND_ADDRESS: '0', ...clouds, ...env },
      },
      reaper,
    )
  }

  get running(): boolean {
    return this.#program?.running ?? false
  }

  get pid(): number {
    return this.#started().pid
  }

  /** The end of the last process. */
  get exited(): Promise<ProgramEnd> {
    return this.#started().exited
  }

  /** Its output since the lab began, through every restart. */
  logs(): string {
    return this.#program?.logs() ?? ''
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#started().kill(signal)
  }

  /** Sends SIGTERM and waits for the end. */
  async stop(): Promise<void> {
    if (this.running) await this.#program?.stop()
  }

  #started(): Program {
    if (!this.#program) throw new Error('The manager has not been started.')
    return this.#program
  }
}
