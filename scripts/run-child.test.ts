import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

/** A process without a terminal that replaces itself with a program, as start.mjs does. */
function runInPlace(program: string) {
  const code = `
    import { endLike, runChild } from ${JSON.stringify(path.join(import.meta.dirname, 'run-child.mjs'))}
    endLike(await runChild(process.execPath, ['-e', ${JSON.stringify(program)}]))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It leads a group of its own. Its program must end, too: a program that is left keeps the pipe of the test runner.
  onTestFinished(() => killGroup(child.pid))
  return child
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

test('the exit code is passed on', async () => {
  expect(await once(runInPlace('process.exitCode = 7'), 'exit')).toEqual([7, null])
})

test('a death by a signal is passed on', async () => {
  expect(await once(runInPlace(`process.kill(process.pid, 'SIGKILL')`), 'exit')).toEqual([null, 'SIGKILL'])
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s reaches the program once, and its end is waited for',
  async (signal) => {
    const child = runInPlace(`
    process.on('${signal}', () => setTimeout(() => (console.log('cleaned up'), process.exit(3)), 100))
    setInterval(() => {}, 1000)
    console.log('ready')`)
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    const rest = text(child.stdout)
    child.kill(signal)
    expect(await exited).toEqual([3, null])
    expect(await rest).toBe('cleaned up\n')
  },
)
