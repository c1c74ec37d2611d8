import { readdir, readFile } from 'node:fs/promises'

/** Linux's statistics of the thread that runs JavaScript, in nanoseconds. */
export async function onCpu(pid: number): Promise<{ ranMs: number; waitedForCpuMs: number }> {
  const [ran = 0, waited = 0] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')
  return { ranMs: Number(ran) / 1e6, waitedForCpuMs: Number(waited) / 1e6 }
}

/** CPU time of all threads, those of V8 and libuv too, in milliseconds. */
export async function cpuOfAllThreadsMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const spent = await Promise.all(
    threads.map(async (thread) => {
      const [ran = 0] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')
      return Number(ran) / 1e6
    }),
  )
  return spent.reduce((sum, one) => sum + one, 0)
}

export async function residentMB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}
