import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { processStart } from '../../../scripts/process-start.mjs'
import { cleanUp } from './clean-up.ts'

/** The lab's folder, and the process that cleans up. */
export interface Reaper {
  readonly pid: number
  readonly folder: string
  /** The folder of the links by which the lab starts programs. */
  readonly bin: string
  /** Reports that this process belongs to the lab. */
  record(pid: number): void
  /** Ends the remaining processes of the lab and removes the folder. */
  finish(): Promise<void>
}

export async function startReaper(): Promise<Reaper> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    // Its own session: Ctrl-C and the end of a terminal must reach the lab only.
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  // A killed reaper must not end the lab.
  child.stdin.on('error', () => undefined)
  const folder = await firstLine(child.stdout)
  const { pid } = child
  if (folder === undefined || pid === undefined)
    throw new Error('The process that cleans up after the lab did not start.')
  const bin = path.join(folder, 'bin')
  await mkdir(bin)
  child.unref()

  const recorded = new Map<number, string>()
  const record = (program: number) => {
    const start = processStart(program)
    if (start === undefined) return
    recorded.set(program, start)
    child.stdin.write(`${JSON.stringify({ pid: program, start })}\n`)
  }
  return {
    pid,
    folder,
    bin,
    record,
    async finish() {
      child.ref()
      child.stdin.end()
      await exited
      // It may have been killed.
      if (existsSync(folder)) await cleanUp(folder, recorded)
    },
  }
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: stream })) return line
  return undefined
}
