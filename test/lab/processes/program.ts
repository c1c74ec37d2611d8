import { spawn } from 'node:child_process'
import { existsSync, openSync, closeSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reaper } from '../reaper/reaper.ts'

export interface ProgramStart {
  /** Its link in the lab's folder, its log file, and its word in sentences. */
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

export interface ProgramEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process of the lab: its output goes to a file, its end can be awaited, and the reaper cleans up. */
export interface Program {
  readonly pid: number
  readonly exited: Promise<ProgramEnd>
  readonly running: boolean
  /** The output of this process and all earlier ones of its name, both streams. */
  logs(): string
  kill(signal?: NodeJS.Signals): void
  /** Sends SIGTERM, and SIGKILL if it does not end. */
  stop(): Promise<void>
}

const patienceMs = 10_000

export async function startProgram(start: ProgramStart, reaper: Reaper): Promise<Program> {
  const { name, program, args, env = process.env, cwd = reaper.folder } = start
  const log = path.join(reaper.folder, `${name}.log`)
  // A file, not a pipe: the program never waits for the lab to read, and the end of the lab does not end it.
  const output = openSync(log, 'a')
  const child = spawn(link(reaper, name, program), args, { cwd, env, stdio: ['ignore', output, output] })
  closeSync(output)
  const { pid } = child
  if (pid !== undefined) reaper.record(pid)

  let end: ProgramEnd | undefined
  const exited = new Promise<ProgramEnd>((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${name} cannot be started: ${error.message}`)))
    child.on('exit', (code, signal) => resolve((end = { code, signal })))
  })
  if (pid === undefined) throw await exited.then(String, (error: unknown) => error)
  return {
    pid,
    exited,
    get running() {
      return end === undefined
    },
    logs: () => readFileSync(log, 'utf8'),
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM')
      const patience = new AbortController()
      const impatient = sleep(patienceMs, undefined, { signal: patience.signal }).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      )
      await exited
      patience.abort()
      await impatient
    },
  }
}

/** The lab starts programs by a link in its folder, so that the reaper recognizes them. */
export function link({ bin }: Reaper, name: string, program: string): string {
  const at = path.join(bin, name)
  if (!existsSync(at)) symlinkSync(program, at)
  return at
}
