import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { processStart } from '../../../scripts/process-start.mjs'

/**
 * The pids of a lab's processes. A lab starts every program by a link in its own folder, whose name cannot be guessed.
 * So the path of a process shows the lab.
 */
export async function programsOf(folder: string): Promise<number[]> {
  const bin = path.join(folder, 'bin') + path.sep
  const running = process.platform === 'linux' ? await fromProc() : await fromPs()
  return running.filter(({ command }) => command.startsWith(bin)).map(({ pid }) => pid)
}

interface Running {
  pid: number
  command: string
}

async function fromProc(): Promise<Running[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const running = pids.map(async (pid) => ({
    pid,
    // A process that ends meanwhile reads as nothing.
    command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
  }))
  return (await Promise.all(running)).filter(({ pid, command }) => command !== '' && processStart(pid) !== undefined)
}

async function fromPs(): Promise<Running[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 })
  return stdout.split('\n').map((line) => {
    const [pid = '', ...command] = line.trim().split(' ')
    return { pid: Number(pid), command: command.join(' ') }
  })
}
