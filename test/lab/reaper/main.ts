// A process that outlives the lab by a moment. The lab holds the other end of its stdin. When that closes, however the
// lab ended, it ends the processes of the lab, removes the lab's folder and exits.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { cleanUp } from './clean-up.ts'

// It ends only with the lab. These signals reach it when somebody ends all processes of a user or a terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// Created here, so that there is never a folder without a process that removes it.
const folder = await mkdtemp(path.join(tmpdir(), 'capspot-lab-'))
process.stdout.on('error', () => undefined)
process.stdout.end(`${folder}\n`)

const recorded = new Map<number, string>()
for await (const line of createInterface({ input: process.stdin })) {
  const { pid, start } = JSON.parse(line) as { pid: number; start: string }
  recorded.set(pid, start)
}
await cleanUp(folder, recorded)
