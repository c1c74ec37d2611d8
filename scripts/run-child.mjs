import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/**
 * Runs a program on our terminal, and waits for its end, whatever signal stops it.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export function runChild(file, args, options = {}) {
  const child = spawn(file, args, { stdio: 'inherit', ...options })
  const passOn = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  // Ctrl-C reaches every process of the terminal, and to some a second SIGINT would mean "do not clean up".
  // Without a terminal only this process may have got it.
  const interrupt = hasTerminal() ? () => undefined : passOn
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', passOn)
  process.on('SIGHUP', passOn)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal }))
  }).finally(() => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', passOn)
    process.off('SIGHUP', passOn)
  })
}

/**
 * Ends this process in the way that the child ended.
 *
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal)
  else process.exitCode = code ?? 1
}

function hasTerminal() {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
