import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStart } from '../../../scripts/process-start.mjs'
import { programsOf } from './programs.ts'

/** Processes by pid and start time, because another process may have the pid by now. */
export type Recorded = ReadonlyMap<number, string>

/** Ends all processes of a lab and removes its folder. */
export async function cleanUp(folder: string, recorded: Recorded): Promise<void> {
  // Nothing must be found twice: a process that was being started when the lab ended appears a moment later.
  for (let quiet = 0; quiet < 2; await sleep(25)) {
    const pids = await remaining(folder, recorded)
    quiet = pids.length === 0 ? quiet + 1 : 0
    for (const pid of pids) kill(pid)
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** The reported processes, and those that had been started but not reported. */
async function remaining(folder: string, recorded: Recorded): Promise<number[]> {
  const told = [...recorded].filter(([pid, start]) => processStart(pid) === start).map(([pid]) => pid)
  return [...new Set([...told, ...(await programsOf(folder))])]
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
