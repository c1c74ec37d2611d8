import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from './eventually.ts'
import { startLab } from './lab.ts'

/** The folder of every lab is in here, and each of its processes has this in its environment or path. */
let temporary: string
const started: ChildProcessWithoutNullStreams[] = []

beforeEach(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'lifetime-'))
})
afterEach(async () => {
  for (const holder of started.splice(0)) holder.kill('SIGKILL')
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true, force: true })
})

/** Starts a lab in a process that leads its own group, like a foreground job of a shell. */
function holdLab(): ChildProcessWithoutNullStreams {
  const file = path.join(import.meta.dirname, 'processes', 'held-lab.ts')
  const holder = spawn(process.execPath, [file], { detached: true, env: { ...process.env, TMPDIR: temporary } })
  started.push(holder)
  return holder
}

async function isUp(holder: ChildProcessWithoutNullStreams): Promise<void> {
  const said = createInterface({ input: holder.stdout })[Symbol.asyncIterator]()
  const { value: folder } = await said.next()
  expect(folder, 'the folder that a lab names when it is up').toContain(temporary)
}

interface Running {
  name: string
  pid: number
}

/** The running processes of the test's labs with their reapers: by their link, or by their file. */
async function running(): Promise<Running[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const read = (pid: number, what: string) => readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '')
  const found = pids.map(async (pid) => {
    const [command = '', file = ''] = (await read(pid, 'cmdline')).split('\0')
    if (command.startsWith(temporary)) return [{ name: path.basename(command), pid }]
    const ours = (await read(pid, 'environ')).includes(`TMPDIR=${temporary}\0`)
    return ours && command ? [{ name: path.relative(import.meta.dirname, file), pid }] : []
  })
  return (await Promise.all(found)).flat()
}

const names = async () => (await running()).map(({ name }) => name).sort()
const leftovers = async () => ({ processes: await names(), files: await readdir(temporary) })
const nothing = { processes: [], files: [] }

async function nothingIsLeft(): Promise<void> {
  const what = 'no process and no file of the lab is left'
  await eventually(what, async () => expect(await leftovers()).toEqual(nothing), { timeoutMs: 10_000 })
}

const wholeLab = ['core', 'etcd', 'kube-apiserver', 'manager', 'processes/held-lab.ts', 'reaper/main.ts']

describe('a lab leaves nothing behind', () => {
  test('when it is stopped', async () => {
    const holder = holdLab()
    await isUp(holder)
    expect(await names()).toEqual(wholeLab)

    holder.stdin.end()
    expect(await once(holder, 'exit')).toEqual([0, null])
    // The end was awaited, so nothing is left.
    expect(await leftovers()).toEqual(nothing)
  })

  test.each([
    { how: 'its process is killed', end: (pid: number) => process.kill(pid, 'SIGKILL') },
    { how: 'its process is asked to end', end: (pid: number) => process.kill(pid, 'SIGTERM') },
    { how: 'somebody presses Ctrl-C', end: (pid: number) => process.kill(-pid, 'SIGINT') },
  ])('when $how', async ({ end }) => {
    const holder = holdLab()
    await isUp(holder)
    expect(await names()).toEqual(wholeLab)

    end(holder.pid ?? 0)
    await once(holder, 'exit')
    await nothingIsLeft()
  })

  test.each(['reaper/main.ts', 'etcd', 'kube-apiserver', 'core', 'manager'])(
    'when its process is killed while it starts, just after %s',
    async (program) => {
      const holder = holdLab()
      const runs = async () => expect(await names()).toContain(program)
      await eventually(`${program} runs`, runs, { everyMs: 5, timeoutMs: 60_000 })

      holder.kill('SIGKILL')
      await once(holder, 'exit')
      await nothingIsLeft()
    },
  )

  test('when a part of it does not start', async () => {
    vi.stubEnv('TMPDIR', temporary)
    const start = startLab({ core: { args: ['--no-such-flag'] } })
    await expect(start).rejects.toThrow(/core did not become ready[^]*unknown flag: --no-such-flag/)
    expect(await leftovers()).toEqual(nothing)
  })

  test('when its reaper was killed before', async () => {
    vi.stubEnv('TMPDIR', temporary)
    const lab = await startLab({ core: false })
    const reaper = (await running()).find(({ name }) => name === 'reaper/main.ts')
    process.kill(reaper?.pid ?? 0, 'SIGKILL')
    await lab.stop()
    expect(await leftovers()).toEqual(nothing)
  })
})

test('two labs side by side do not meet', async () => {
  vi.stubEnv('TMPDIR', temporary)
  const [one, other] = await Promise.all([startLab({ core: false }), startLab({ core: false })])
  const inOne = await one.namespace('only-in-one')
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }

  await expect(other.client.get(namespaces, { name: inOne }, other.ctx)).rejects.toThrow('not found')
  await one.stop()
  await other.namespace('still-served')
  expect(await names()).toEqual(['etcd', 'kube-apiserver', 'reaper/main.ts'])
  await other.stop()
  expect(await leftovers()).toEqual(nothing)
})
