import { readFile, writeFile } from 'node:fs/promises'

/** Linux then counts the most memory of a process anew. */
const forgetMost = '5'

/** Returns the resident memory of a process in MB, and what tells the most of it since then. */
export async function memoryFromNow(pid: number): Promise<{ before: number; most: () => Promise<number> }> {
  const before = await read(pid, 'VmRSS')
  await writeFile(`/proc/${pid}/clear_refs`, forgetMost)
  return { before, most: () => read(pid, 'VmHWM') }
}

async function read(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) / 1024
}
