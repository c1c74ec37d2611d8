import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram, type Program } from './program.ts'
import type { Reaper } from '../reaper/reaper.ts'

export interface ServerOptions {
  /** As in ProgramStart. */
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly isReady: () => Promise<boolean>
}

const patienceMs = 300_000

/**
 * All servers are Go programs, which collect garbage whenever their heap has doubled. When they wait until it has grown
 * fivefold, kube-apiserver is up with a quarter less CPU, for 0.4 GB more. Half of the CPU of the integration tests is
 * its.
 */
const seldomGarbage = { GOGC: '400' }

/** A server that can be killed and started again with the same command line, port and data. */
export class Server {
  readonly #options: ServerOptions
  readonly #reaper: Reaper
  #program: Program | undefined

  constructor(options: ServerOptions, reaper: Reaper) {
    this.#options = options
    this.#reaper = reaper
  }

  get running(): boolean {
    return this.#program?.running ?? false
  }

  get pid(): number {
    return this.#current().pid
  }

  /** Its output since the lab began, through every start. */
  logs(): string {
    return this.#program?.logs() ?? ''
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    const { name, isReady } = this.#options
    if (this.running) throw new Error(`${name} runs already; kill it before it is started again.`)
    const env = { ...process.env, ...seldomGarbage }
    const program = await startProgram({ ...this.#options, env }, this.#reaper)
    this.#program = program
    const since = performance.now()
    while (!(await isReady().catch(() => false))) {
      if (program.running && performance.now() - since < patienceMs) await sleep(50)
      else throw new Error(`${name} did not become ready. The end of its log:\n${program.logs().slice(-2000)}`)
    }
  }

  /** Sends SIGKILL and waits for the end. */
  async kill(): Promise<void> {
    const program = this.#current()
    program.kill('SIGKILL')
    await program.exited
  }

  #current(): Program {
    if (this.#program?.running) return this.#program
    throw new Error(`${this.#options.name} does not run; start it first.`)
  }
}

/** Another process may take a port after we have chosen it. Then another one is chosen. */
export async function startOnPort<P, T extends Server>(choose: () => Promise<P>, on: (port: P) => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const server = on(await choose())
    try {
      await server.start()
      return server
    } catch (error) {
      if (server.running) await server.kill()
      if (attempt === 3 || !String(error).includes('address already in use')) throw error
    }
  }
}
