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

/** Every process of a demo of these tests has this in its environment, and the demo's folder is in it. */
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

/** Starts it like `npm run demo`, in its own session and without a terminal. */
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

/** The pids of the running processes of a demo, with its own. */
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

const clouds = ['AWS', 'Azure', 'GCP', 'IBM']

function announces(cloud: string): string {
  const machine = `${cloud.toLowerCase()}-spot-…`
  if (cloud === 'IBM') return `IBM announces nothing, so a notice of 120 s is rehearsed for ${machine}`
  return `${cloud} announces that the instance of ${machine} ends in ${cloud === 'Azure' ? 30 : 120} s`
}

/** The seconds of a line `After the notice: Machine deleted 1.2 s, …. 97.0 s of the notice were left.` */
function courseIn(line: string) {
  const [, told = '', , left] =
    /^After the notice: (.*)\. ((\d+\.\d) s of the notice were left|The announced end came first)\.$/.exec(line) ?? []
  const times = new Map(told.split(', ').map((part) => [part.replace(/ \S+ s$/, ''), Number(part.split(' ').at(-2))]))
  return { at: (station: string) => times.get(station) ?? NaN, left: left === undefined ? undefined : Number(left) }
}

test('--once tells the story of all clouds to its end, and every step holds', async () => {
  const demo = startDemo('--once')
  const { code, said, complained } = await ended(demo)
  const [scene, ...lines] = said.trimEnd().split('\n')
  expect(scene).toMatch(/^AWS, Azure, GCP and IBM are simulated; .* a MachineDeployment of 2 spot workers:$/)
  // With what was seen last, which stands below.
  expect(lines.filter((line, at) => [line, lines[at - 1]].some((one) => one?.startsWith('✘')))).toEqual([])
  const told = (line: string) => line.replaceAll(/\d+\.\d s/g, '… s').replace(/-spot-\w{5}-\w{5}\b/, '-spot-…')
  const each = (line: (cloud: string) => string) => clouds.map(line)
  expect(lines.filter((line) => !line.startsWith(' ')).map(told)).toEqual([
    ...each((cloud) => `✔ ${cloud}: 2 Machines are Running, each with its own instance (… s)`),
    '✔ All 8 Nodes carry the label cluster.x-k8s.io/interruptible (… s)',
    '✔ AWS has no spot capacity: a Machine with fallback runs on demand (… s)',
    '✔ AWS has spot capacity again, and that MachineDeployment is deleted with its instance (… s)',
    '✔ One Node of each cloud runs a Pod that takes 5 s to end, and those of Azure and GCP the node agent (… s)',
    ...each((cloud) => `✔ ${announces(cloud)}; its Node is drained and its Machine replaced (… s)`),
    ...each(
      (cloud) =>
        `✔ ${cloud} reclaims the instance of ${cloud.toLowerCase()}-spot-… at once, and the Machine reports it (… s)`,
    ),
    ...each((cloud) => `✔ ${cloud}: one new Machine and one new instance replace it; 2 run again (… s)`),
    '✔ Scaled to 0: no Machine is left, and no instance, disk, network interface or address on AWS, Azure, GCP and IBM (… s)',
    '✔ The Clusters are deleted (… s)',
    '✔ Nothing is left on any cloud, and on the API server only events, CapacityPools and the empty namespace of the node agent (… s)',
    'All 23 steps passed in … s',
  ])
  const below = lines.filter((line) => line.startsWith(' ')).map((line) => line.trim())
  const fell = below.shift()
  const [notices, losses] = [below.slice(0, -clouds.length), below.slice(-clouds.length)]
  expect(fell).toMatch(
    /^Instance i-\w+ is m5\.large on demand in \S+, after a refusal\. It was \w+ of m5\.large spot in \S+\.$/,
  )
  expect(notices.filter((line) => !line.startsWith('After'))).toEqual([
    'The manager read it in the status of the spot request.',
    ...['Azure', 'GCP'].map(
      () => 'The node agent read it in the metadata of the machine, and the manager in a condition of the Node.',
    ),
    'This was a rehearsal: the Machine got the annotation spot.cluster.x-k8s.io/rehearse-interruption.',
  ])
  const courses = notices.filter((line) => line.startsWith('After')).map(courseIn)
  expect(courses).toHaveLength(clouds.length)
  for (const { at, left } of courses) {
    expect(at('Machine deleted')).toBeGreaterThanOrEqual(0)
    expect(at('replacement made')).toBeLessThan(at('replacement Running'))
    // On a busy computer the 30 s of Azure may be over first.
    if (left === undefined) continue
    // The Pod takes 5 s.
    expect(at('Node drained')).toBeGreaterThan(5)
    expect(at('instance ended')).toBeGreaterThanOrEqual(at('Node drained'))
    expect([30, 120]).toContain(Math.round(left + at('instance ended')))
  }
  expect(clouds.filter((cloud, at) => courses[at]?.left === undefined && cloud !== 'Azure')).toEqual([])
  expect(losses).toEqual([
    // Whether the list of instances or that of the spot requests shows it first is chance.
    expect.stringMatching(
      /^(After \d+ polls?: Instance i-\w+ is \S+: Server\.SpotInstanceTermination: |The status of its spot request told it first: Notice of kind Spot for instance i-\w+\. )/,
    ),
    expect.stringMatching(/After \d+ polls?: Instance \S+ is \S+: PowerState\/deallocat(ing|ed): /),
    expect.stringMatching(/After \d+ polls?: Instance \S+ is \S+: compute\.instances\.preempted: /),
    expect.stringMatching(/After \d+ polls?: Instance \S+ is (\S+: stopped_by_preemption: |stopping\. )/),
  ])
  expect(complained).toContain('Starting the lab: done in')
  expect(code).toBe(0)
  await nothingIsLeft()
})

test('the live table shows all clouds, does what people type, and Ctrl-C leaves nothing', async () => {
  const demo = startDemo()
  let said = ''
  demo.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const exited = once(demo, 'exit')
  const latestTable = () => said.slice(said.lastIndexOf('MACHINE'))
  const tableShows = (what: string, row: RegExp, count: number) =>
    eventually(what, () => expect(latestTable().match(row)).toHaveLength(count), { timeoutMs: 120_000 })
  await tableShows('two machines of each cloud run', /^(aws|azure|gcp|ibm)-spot-\S+ +Running +\S+ +yes +\S+$/gm, 8)
  const [, kubeconfig = ''] = /export KUBECONFIG=(\S+)/.exec(said) ?? []
  expect(await readFile(kubeconfig, 'utf8')).toContain('kind: Config')

  const [, remote = ''] = /curl -X POST (\S+)\/aws\/interrupt/.exec(said) ?? []
  const type = async (what: string) => {
    const answer = await fetch(`http://${remote}/${what}`, { method: 'POST' })
    return { status: answer.status, sentence: await answer.text() }
  }
  const names = clouds.map((cloud) => cloud.toLowerCase())
  const typeForEach = async (command: string) => {
    const answers = await Promise.all(names.map((name) => type(`${name}/${command}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }
  await typeForEach('no-capacity')
  await typeForEach('interrupt')
  await tableShows('what was taken cannot be replaced', /^\S+ +InsufficientCapacity\b.*\n {4}[\d:]+ /gm, 4)
  await typeForEach('capacity-back')

  const tooMany = await type('gcp/scale/many')
  expect(tooMany).toEqual({ status: 409, sentence: 'Add the number of Machines, from 0 to 9, such as /scale/3.\n' })
  const elsewhere = await type('oracle/interrupt')
  expect(elsewhere.status).toBe(404)
  expect(elsewhere.sentence).toContain('<cloud> is aws, azure, gcp or ibm')
  demo.kill('SIGINT')
  expect(await exited).toEqual([0, null])
  await nothingIsLeft()
})

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
