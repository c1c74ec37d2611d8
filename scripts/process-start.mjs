import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * The start of a process, in the kernel's units. With the pid it names one process for good, because a pid is
 * used again. Undefined if no such process runs; a process that waits to be reaped does not run.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
export function processStart(pid) {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
}

/** @param {number} pid */
function startFromProc(pid) {
  let stat
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The second field is the program's name in parentheses and may hold anything; state is the third, start the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

/** @param {number} pid */
function startFromPs(pid) {
  const { status, stdout } = spawnSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const line = status === 0 ? stdout.trim() : ''
  return line === '' || line.startsWith('Z') ? undefined : line.slice(line.indexOf(' ')).trim()
}
