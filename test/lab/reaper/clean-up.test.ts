import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { processStart } from '../../../scripts/process-start.mjs'
import { cleanUp } from './clean-up.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'clean-up-'))
  await mkdir(path.join(folder, 'bin'))
})

function sleeper(command = '/bin/sleep') {
  const child = spawn(command, ['60'], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = child.pid ?? 0
  return { pid, ended, start: processStart(pid) ?? '', running: () => processStart(pid) !== undefined }
}

test('ends what was recorded and removes the folder', async () => {
  const recorded = sleeper()
  await cleanUp(folder, new Map([[recorded.pid, recorded.start]]))
  expect(await recorded.ended).toEqual([null, 'SIGKILL'])
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})

test("ends what was started by a link in the lab's folder, recorded or not", async () => {
  const link = path.join(folder, 'bin', 'program')
  await symlink('/bin/sleep', link)
  const unrecorded = sleeper(link)
  await cleanUp(folder, new Map())
  expect(await unrecorded.ended).toEqual([null, 'SIGKILL'])
})

test('spares a process that was given the pid of one that ended', async () => {
  const other = sleeper()
  await cleanUp(folder, new Map([[other.pid, `${Number(other.start) - 1}`]]))
  expect(other.running()).toBe(true)
})

test('spares a process that only names the folder', async () => {
  const reader = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)', folder], { stdio: 'ignore' })
  onTestFinished(() => void reader.kill('SIGKILL'))
  await cleanUp(folder, new Map())
  expect(processStart(reader.pid ?? 0)).toBeDefined()
})
