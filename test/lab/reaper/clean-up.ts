import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStart } from '../../../scripts/process-start.mjs'
import { programsOf } from './programs.ts'

/** Processes by pid, and when each started: a pid alone may be somebody else's by now. */
export type Recorded = ReadonlyMap<number, string>

/** Ends all that runs of a lab and removes its folder. */
export async function cleanUp(folder: string, recorded: Recorded): Promise<void> {
  // Twice with nothing left: a process that was being started when the lab ended shows itself a moment later.
  for (let quiet = 0; quiet < 2; await sleep(25)) {
    const pids = await remaining(folder, recorded)
    quiet = pids.length === 0 ? quiet + 1 : 0
    for (const pid of pids) kill(pid)
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** What was told, and what had been started but not told yet. */
async function remaining(folder: string, recorded: Recorded): Promise<number[]> {
  const told = [...recorded].filter(([pid, start]) => processStart(pid) === start).map(([pid]) => pid)
  return [...new Set([...told, ...(await programsOf(folder))])]
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in the meantime.
  }
}
