// A process beside the lab that outlives it by a moment. The lab holds the other end of its stdin: when that closes,
// however the lab ended, it ends the processes that the lab started, removes the lab's folder, and is gone.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { cleanUp } from './clean-up.ts'

// It leaves only with the lab: these reach it when somebody ends everything of a user or of a terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// Made here, so that there is no moment with a folder and nobody to remove it.
const folder = await mkdtemp(path.join(tmpdir(), 'capspot-lab-'))
process.stdout.on('error', () => undefined)
process.stdout.end(`${folder}\n`)

const recorded = new Map<number, string>()
for await (const line of createInterface({ input: process.stdin })) {
  const { pid, start } = JSON.parse(line) as { pid: number; start: string }
  recorded.set(pid, start)
}
await cleanUp(folder, recorded)
