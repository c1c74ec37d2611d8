import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type * as FileSystem from 'node:fs'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type * as Lock from './lock.mjs'
import { processStart } from './process-start.mjs'

/** The action of another process in the moment after we have written our claim. */
const meanwhile = vi.hoisted(() => ({ happens: () => {} }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof FileSystem>()
  const writeFileSync: typeof fs.writeFileSync = (...claim) => {
    fs.writeFileSync(...claim)
    meanwhile.happens()
  }
  return { ...fs, writeFileSync }
})

/** Under its own address, because another file in this worker may have loaded it with the real file system. */
const anew = './lock.mjs?anew'
const { withLock } = (await import(anew)) as typeof Lock

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lock-'))
})
afterEach(async () => {
  meanwhile.happens = () => {}
  await rm(folder, { recursive: true, force: true })
})

const lock = () => path.join(folder, 'lock')

/** Takes the lock, calls `body` with a function that writes a word to a file, and releases the lock. */
function inOtherProcess(body: string) {
  const code = `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { withLock } from ${JSON.stringify(path.join(import.meta.dirname, 'lock.mjs'))}
    const note = (word) => appendFileSync(${JSON.stringify(path.join(folder, 'notes'))}, word + '\\n')
    await withLock(${JSON.stringify(lock())}, async () => { ${body} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('no two processes hold it at once, however many want it', async () => {
  const body = `note('in'); await sleep(20); note('out')`
  const ends = await Promise.all(Array.from({ length: 4 }, () => once(inOtherProcess(body), 'exit')))
  expect(ends).toEqual(Array.from({ length: 4 }, () => [0, null]))
  const notes = (await readFile(path.join(folder, 'notes'), 'utf8')).trim().split('\n')
  expect(notes).toEqual(Array.from({ length: 4 }, () => ['in', 'out']).flat())
})

test('a process that finds another claim of the same moment withdraws', async () => {
  const rival = path.join(lock(), `${process.ppid}-${processStart(process.ppid)}-rival`)
  meanwhile.happens = () => {
    meanwhile.happens = () => {}
    writeFileSync(rival, '')
  }
  const holders: number[] = []
  const done = withLock(lock(), () => Promise.resolve(existsSync(rival)), { onWait: (pid) => holders.push(pid) })
  await vi.waitFor(() => expect(holders.length).toBeGreaterThan(2), { timeout: 60_000 })
  expect(await readdir(lock())).toEqual([path.basename(rival)])
  expect(new Set(holders)).toEqual(new Set([process.ppid]))

  await rm(rival)
  expect(await done, 'the rival was there while we worked').toBe(false)
})

test('a process that withdraws at the same moment as another is told of no holder', async () => {
  const rival = path.join(lock(), `${process.ppid}-${processStart(process.ppid)}-rival`)
  meanwhile.happens = () => {
    meanwhile.happens = () => {}
    writeFileSync(rival, '')
  }
  const holders: number[] = []
  const work = () => Promise.resolve('ours')
  const done = withLock(lock(), work, { onWait: (pid) => holders.push(pid) })
  rmSync(rival)
  expect(await done).toBe('ours')
  expect(holders).toEqual([])
})

test('two in one process take turns, too', async () => {
  const notes: string[] = []
  const turn = () =>
    withLock(lock(), async () => {
      notes.push('in')
      await new Promise((resolve) => setTimeout(resolve, 20))
      notes.push('out')
    })
  await Promise.all([turn(), turn(), turn()])
  expect(notes).toEqual(['in', 'out', 'in', 'out', 'in', 'out'])
})

test('a waiting process gets the pid of the holder', async () => {
  const holder = inOtherProcess(`console.log('held'); await sleep(300)`)
  await once(holder.stdout ?? holder, 'data')
  const holders = new Set<number>()
  await withLock(lock(), () => Promise.resolve(), { onWait: (pid) => holders.add(pid) })
  expect([...holders]).toEqual([holder.pid])
})

test('a process that was killed holds nothing any more', async () => {
  const holder = inOtherProcess(`console.log('held'); await sleep(60_000)`)
  await once(holder.stdout ?? holder, 'data')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect(await readdir(lock())).toHaveLength(1)
  expect(await withLock(lock(), () => Promise.resolve('ours'))).toBe('ours')
  expect(await readdir(lock())).toEqual([])
})

test('the claim of a process whose pid belongs to another by now counts for nothing', async () => {
  await mkdir(lock())
  await writeFile(path.join(lock(), `${process.pid}-1-of-another`), '')
  expect(await withLock(lock(), () => Promise.resolve('ours'))).toBe('ours')
})

test('it is given back when the work throws', async () => {
  await expect(withLock(lock(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await readdir(lock())).toEqual([])
})

test('waiting ends when it is told to', async () => {
  const holder = inOtherProcess(`console.log('held'); await sleep(60_000)`)
  await once(holder.stdout ?? holder, 'data')
  const signal = AbortSignal.timeout(100)
  await expect(withLock(lock(), () => Promise.resolve(), { signal })).rejects.toThrow('aborted')
})
