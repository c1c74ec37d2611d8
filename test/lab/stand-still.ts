import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs `use` while a process is stopped: its writes are in its files, and no more follow. */
export async function whileItStandsStill<T>(pid: number, use: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP')
  try {
    await untilItStandsStill(pid)
    return await use()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

/** Waits until a SIGSTOP has reached a process. */
export async function untilItStandsStill(pid: number, patienceMs = 60_000): Promise<void> {
  for (const since = performance.now(); !(await standsStill(pid)); await sleep(1)) {
    if (performance.now() - since > patienceMs) throw new Error(`Process ${pid} was told to stop and goes on.`)
  }
}

/** All of its threads, because the first may stop while another is writing. */
async function standsStill(pid: number): Promise<boolean> {
  const states = process.platform === 'linux' ? await fromProc(pid) : fromPs(pid)
  return states.every((state) => state.startsWith('T'))
}

async function fromProc(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`)
  const states = threads.map(async (thread) => {
    const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    // The second field is the program's name in parentheses and may hold anything; the state comes next.
    return stat.slice(stat.lastIndexOf(')') + 2)
  })
  return Promise.all(states)
}

function fromPs(pid: number): string[] {
  return [spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()]
}
