import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../lab/eventually.ts'

const root = path.join(import.meta.dirname, '..', '..')

/** All that a demo of these tests starts has this in its environment, and makes its folder in it. */
let temporary: string
const started: ChildProcessByStdio<null, Readable, Readable>[] = []

beforeEach(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'demo-'))
})
afterEach(async () => {
  for (const demo of started.splice(0)) demo.kill('SIGKILL')
  await eventually('nothing runs', async () => expect(await running()).toEqual([]))
  await rm(temporary, { recursive: true, force: true })
})

/** By the door that `npm run demo` takes, in a session of its own: no terminal. */
function startDemo(...args: string[]) {
  const demo = spawn(process.execPath, [path.join(root, 'scripts', 'start.mjs'), 'demo', ...args], {
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(demo)
  return demo
}

async function ended(demo: ChildProcessByStdio<null, Readable, Readable>) {
  const [said, complained] = await Promise.all([text(demo.stdout), text(demo.stderr), once(demo, 'exit')])
  return { code: demo.exitCode, said, complained }
}

/** The pids of what a demo of this test has started, itself among it, and still runs. */
async function running(): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const mine = pids.map(async (pid) => {
    const read = (what: string) => readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '')
    const ours =
      (await read('cmdline')).startsWith(temporary) || (await read('environ')).includes(`TMPDIR=${temporary}\0`)
    return ours ? [pid] : []
  })
  return (await Promise.all(mine)).flat()
}

async function nothingIsLeft(): Promise<void> {
  expect({ pids: await running(), files: await readdir(temporary) }).toEqual({ pids: [], files: [] })
}

/** A whole lab and a whole story, on a machine that other tests keep busy. */
const patient = { timeout: 180_000 }

test('--once tells the story to its end, and every step holds', patient, async () => {
  const demo = startDemo('--once')
  const { code, said, complained } = await ended(demo)
  const sentences = said
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\bi-[0-9a-f]{17}\b/, 'i-…'))
  expect(sentences.map((line) => line.replaceAll(/\d+\.\d s/g, '… s'))).toEqual([
    '✔ 3 Machines are Running, each with its own instance (… s)',
    '✔ 3 Nodes carry the label cluster.x-k8s.io/interruptible (… s)',
    '✔ EC2 takes i-… back; within one poll its machine is Ready=False, Interrupted, Server.SpotInstanceTermination (… s)',
    '✔ Two more polls pass (… s)',
    '✔ It was neither restarted nor made again: EC2 has made 3 instances in all, for the same Machines (… s)',
    '✔ Scaled to 0: no Machine is left, and EC2 runs no instance (… s)',
    '✔ The Cluster is deleted (… s)',
    '✔ Nothing of the cluster is left in EC2, and on the API server only events (… s)',
    'All 8 steps hold, in … s',
  ])
  expect(complained).toContain('Starting the lab: done in')
  expect(code).toBe(0)
  await nothingIsLeft()
})

test(
  'the live table shows three machines and the commands, follows what happens, and Ctrl-C leaves nothing',
  patient,
  async () => {
    const demo = startDemo()
    let said = ''
    demo.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const exited = once(demo, 'exit')
    const row = (state: string, id = String.raw`i-\w+`) =>
      new RegExp(`^demo-spot-\\S+ +${state} +${id} +\\S+ +yes$`, 'gm')
    const latestTable = () => said.slice(said.lastIndexOf('MACHINE'))
    await eventually('three machines run', () => expect(latestTable().match(row('Running'))).toHaveLength(3), {
      timeoutMs: 120_000,
    })
    const [, kubeconfig = ''] = /export KUBECONFIG=(\S+)/.exec(said) ?? []
    expect(await readFile(kubeconfig, 'utf8')).toContain('kind: Config')

    const typed = [...said.matchAll(/curl -sX POST (\S+) -d '(\{"id":"(\S+)"\})'/g)].at(-1)
    const [, url = '', body = '', id = ''] = typed ?? []
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
    await eventually('the table says so', () => {
      expect(latestTable()).toMatch(row('Interrupted', id))
      expect(latestTable()).toMatch(/last event: [\d:]+ SpotPreemption: .*Server\.SpotInstanceTermination/)
    })

    demo.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    await nothingIsLeft()
  },
)

test('Ctrl-C while it starts leaves nothing either', async () => {
  const demo = startDemo()
  await eventually('the API server runs', async () => {
    const [folder = ''] = await readdir(temporary)
    expect(await readdir(path.join(temporary, folder, 'bin'))).toContain('kube-apiserver')
  })
  const exited = once(demo, 'exit')
  demo.kill('SIGINT')
  expect(await exited).toEqual([0, null])
  await nothingIsLeft()
})

test('a flag that there is not is one sentence', async () => {
  const demo = startDemo('--twice')
  const { code, said, complained } = await ended(demo)
  const complaint = "Unknown option '--twice'; npm run demo -- --help lists the flags.\n"
  expect({ code, said, complained }).toEqual({ code: 2, said: '', complained: complaint })
})
