import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Node } from '../../api/machine.ts'
import { nodes } from '../../api/kinds.ts'
import { noticesOfNode } from '../../api/rules/interruption/node-notice.ts'
import { systemClock as clock } from '../../controllers/runtime/process/clock.ts'
import { residentMB } from '../bench/process-use.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { pods } from '../simulators/kit/kubelets/pod.ts'
import { startAzureMetadata } from '../simulators/metadata/azure.ts'
import { startEc2Metadata } from '../simulators/metadata/ec2.ts'
import { startGceMetadata } from '../simulators/metadata/gce.ts'
import { AgentRig } from './rigs/agent-rig.ts'

let lab: Lab
let rig: AgentRig
/** Not shared, because a test takes the API server away. */
beforeAll(async () => {
  lab = await startLab({ core: false })
  rig = await AgentRig.start(lab)
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await lab.stop()
})

const machine = 'spot-1'
const providerIds = {
  aws: 'aws:///eu-west-1a/i-0123456789abcdef0',
  azure: `azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/${machine}`,
  gce: 'gce://project/europe-west1-b/spot-1',
}

/** The instance, of which the cloud says at some time that it takes it back. */
function victim() {
  let end: number | undefined
  return { takenBackAt: () => end, takeBack: (inMs: number) => (end = Math.floor((Date.now() + inMs) / 1000) * 1000) }
}

function closed<T extends { close(): Promise<void> }>(server: T): T {
  onTestFinished(() => server.close())
  return server
}

/** Runs an agent on a Node of its own until the test ends. The first conditions stand there. */
async function agentOn(providerID: string, metadata: { url: string }) {
  const node = await rig.node(providerID)
  const running = await rig.run(node, metadata.url)
  onTestFinished(() => running.program.stop())
  await rig.condition(node, 'Terminating', 'False')
  return { node, ...running }
}

async function noticeOn(name: string) {
  return noticesOfNode(await lab.client.get<Node>(nodes, { name }, lab.ctx), Date.now()).says
}

describe('a notice becomes the condition that the manager reads', () => {
  it('of EC2', async () => {
    const { takenBackAt, takeBack } = victim()
    const metadata = closed(await startEc2Metadata({ clock, takenBackAt }))
    const { node } = await agentOn(providerIds.aws, metadata)
    expect(await noticeOn(node)).toBeUndefined()
    metadata.control.recommendRebalance()
    await rig.condition(node, 'RebalanceRecommended', 'True')
    expect(await noticeOn(node)).toMatchObject({ kind: 'Rebalance', source: 'Agent' })

    const notBefore = Math.floor(Date.now() / 1000) * 1000 + 86_400_000
    metadata.control.schedule([{ Code: 'instance-retirement', State: 'active', notBefore }])
    await rig.condition(node, 'MaintenanceScheduled', 'True')
    expect(await noticeOn(node)).toMatchObject({ kind: 'Maintenance', deadline: notBefore, source: 'Agent' })
    metadata.control.schedule([{ Code: 'instance-retirement', State: 'canceled', notBefore }])
    await rig.condition(node, 'MaintenanceScheduled', 'False')

    metadata.control.revokeTokens()
    const deadline = takeBack(120_000)
    await rig.condition(node, 'Terminating', 'True')
    expect(await noticeOn(node)).toMatchObject({ kind: 'Spot', deadline, source: 'Agent' })
  })

  it('of Azure, for this machine only, and no event is started before its time', async () => {
    const { takenBackAt, takeBack } = victim()
    const versions = ['2020-07-01', '2024-07-09']
    const metadata = closed(await startAzureMetadata({ clock, takenBackAt, name: machine, versions }))
    const { node } = await agentOn(providerIds.azure, metadata)
    metadata.control.schedule([
      { EventType: 'Preempt', Resources: ['spot-10'] },
      { EventType: 'SpotRebalanceRecommendation' },
      { EventType: 'Freeze' },
    ])
    await rig.condition(node, 'RebalanceRecommended', 'True')
    expect(await noticeOn(node)).toMatchObject({ kind: 'Rebalance', source: 'Agent' })
    const deadline = takeBack(30_000)
    await rig.condition(node, 'Terminating', 'True')
    expect(await noticeOn(node)).toMatchObject({ kind: 'Spot', deadline, source: 'Agent' })
    expect(metadata.requests.filter((request) => !request.startsWith('GET '))).toEqual([])
  })

  it('of Azure, where only the older version is served and the first answer takes its time', async () => {
    const { takenBackAt, takeBack } = victim()
    const metadata = closed(await startAzureMetadata({ clock, takenBackAt, name: machine, firstAnswerMs: 12_000 }))
    const { node, program } = await agentOn(providerIds.azure, metadata)
    takeBack(60_000)
    await rig.condition(node, 'Terminating', 'True')
    expect(program.logs()).not.toContain('cannot be read')
  })

  it('of GCE', async () => {
    const { takenBackAt, takeBack } = victim()
    const metadata = closed(await startGceMetadata({ clock, takenBackAt }))
    const { node } = await agentOn(providerIds.gce, metadata)
    metadata.control.maintain('TERMINATE_ON_HOST_MAINTENANCE')
    await rig.condition(node, 'MaintenanceScheduled', 'True')
    metadata.control.maintain('MIGRATE_ON_HOST_MAINTENANCE')
    await rig.condition(node, 'MaintenanceScheduled', 'False')
    takeBack(30_000)
    await rig.condition(node, 'Terminating', 'True')
    expect(await noticeOn(node)).toMatchObject({ kind: 'Spot', source: 'Agent' })
  })
})

it('garbage from the metadata service changes nothing, and the process lives', async () => {
  const { takenBackAt, takeBack } = victim()
  const metadata = closed(await startAzureMetadata({ clock, takenBackAt, name: machine }))
  const { node, program } = await agentOn(providerIds.azure, metadata)
  const html = { 'content-type': 'text/html' }
  const spoiled = [
    { status: 200, headers: html, body: '<html>Welcome</html>' },
    { status: 200, headers: html, body: 'x'.repeat(1_048_576) },
    { status: 200, headers: html, body: '{"Events":[]}', cutAt: 3 },
    'reset',
  ] as const
  for (const reply of spoiled) {
    const before = metadata.requests.length
    metadata.control.spoil(reply)
    await eventually('it asks again', () => expect(metadata.requests.length).toBeGreaterThan(before))
  }
  metadata.control.mend()
  takeBack(120_000)
  await rig.condition(node, 'Terminating', 'True')
  expect(program.logs().match(/"level":"warn"/g)).toHaveLength(1)
})

it('the API server is away for 20 s: the notice of that time stands there afterwards', async () => {
  const { takenBackAt, takeBack } = victim()
  const metadata = closed(await startGceMetadata({ clock, takenBackAt }))
  const { node, program } = await agentOn(providerIds.gce, metadata)
  const { controlPlane } = lab
  if (!controlPlane) throw new Error('The lab has its own control plane.')
  await controlPlane.killApiserver()
  takeBack(120_000)
  // The outage itself: nothing can be awaited in it.
  await sleep(20_000)
  await controlPlane.startApiserver()
  await rig.condition(node, 'Terminating', 'True', { timeoutMs: 10_000 })
  expect(program.running).toBe(true)
})

describe('told to end', () => {
  it('while its Pod stays: the Node may shut down, until the next agent starts', async () => {
    const metadata = closed(await startEc2Metadata({ clock }))
    const { node, program } = await agentOn(providerIds.aws, metadata)
    program.kill('SIGTERM')
    expect(await program.exited).toEqual({ code: 0, signal: null })
    await rig.condition(node, 'NodeShutdown', 'True')
    expect(await noticeOn(node)).toBe('listNow')
    const next = await rig.run(node, metadata.url)
    onTestFinished(() => next.program.stop())
    await rig.condition(node, 'NodeShutdown', 'False')
    expect(await noticeOn(node)).toBeUndefined()
  })

  it('with its Pod: it says nothing', async () => {
    const metadata = closed(await startEc2Metadata({ clock }))
    const { node, program, pod } = await agentOn(providerIds.aws, metadata)
    await lab.client.delete(pods, pod.metadata, {}, lab.ctx)
    program.kill('SIGTERM')
    expect(await program.exited).toEqual({ code: 0, signal: null })
    expect((await rig.conditions(node)).find(({ type }) => type === 'NodeShutdown')?.status).toBe('False')
  })
})

describe('the policy of config/agent', () => {
  const ours = { type: 'Terminating', status: 'True', reason: 'Test', message: '' }
  const apply = async (token: string, name: string, patch: object, subresource?: string) => {
    const client = rig.clientOf(token)
    const options = { patch, ...(subresource === undefined ? {} : { subresource }) }
    try {
      return await client.mergePatch(nodes, { name }, options, lab.ctx)
    } finally {
      await client.close()
    }
  }
  const write = (token: string, name: string, patch: object) => apply(token, name, patch, 'status')
  /** All conditions, because a merge patch replaces a list. */
  const withCondition = async (name: string, condition: object) => ({
    status: { conditions: [...(await rig.conditions(name)), condition] },
  })

  let own: string
  let token: string
  beforeAll(async () => {
    own = await rig.node(providerIds.aws)
    token = (await rig.podOn(own)).token
  })

  it('lets it write its condition to its own Node', async () => {
    await write(token, own, await withCondition(own, ours))
    expect((await rig.conditions(own)).map(({ type }) => type)).toContain('Terminating')
  })

  it('refuses every other Node', async () => {
    const other = await rig.node(providerIds.aws)
    await expect(write(token, other, await withCondition(other, ours))).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(`the agent of ${own} may not write to Node ${other}`) as string,
    })
    expect(await rig.conditions(other)).toEqual([])
  })

  it('refuses a token that names no Node', async () => {
    const unbound = await rig.tokenWithoutPod()
    await expect(write(unbound, own, await withCondition(own, ours))).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('the agent of no Node') as string,
    })
  })

  it.each([
    ['a condition of the kubelet', { conditions: [{ type: 'Ready', status: 'False' }] }],
    ['the capacity', { capacity: { cpu: '1' } }],
    ['an address', { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] }],
    ['the images', { images: [{ names: ['example.com/x'], sizeBytes: 1 }] }],
    ['the attached volumes', { volumesAttached: [{ name: 'a', devicePath: 'b' }] }],
  ])('refuses %s', async (_, status) => {
    await expect(write(token, own, { status })).rejects.toMatchObject({ status: 403 })
  })

  it.each([
    ['a label', { labels: { 'node-role.kubernetes.io/control-plane': '' } }],
    ['an annotation', { annotations: { a: 'b' } }],
    ['a finalizer', { finalizers: ['example.com/a'] }],
  ])('refuses %s on its own Node', async (_, metadata) => {
    await expect(write(token, own, { metadata })).rejects.toMatchObject({ status: 403 })
  })

  it('does not let it write outside of the status, list Nodes, or read Pods elsewhere', async () => {
    const refused = { status: 403 }
    await expect(apply(token, own, { spec: { unschedulable: true } })).rejects.toMatchObject(refused)
    const client = rig.clientOf(token)
    onTestFinished(() => client.close())
    await expect(client.list(nodes, {}, lab.ctx)).rejects.toMatchObject(refused)
    await expect(client.delete(nodes, { name: own }, {}, lab.ctx)).rejects.toMatchObject(refused)
    await expect(client.list(pods, { namespace: 'default' }, lab.ctx)).rejects.toMatchObject(refused)
  })

  it('refuses another user nothing', async () => {
    const patch = { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }] } }
    await lab.client.mergePatch(nodes, { name: own }, { patch, subresource: 'status' }, lab.ctx)
    expect((await rig.conditions(own)).map(({ type }) => type)).toEqual(['Ready'])
  })
})

/** How many reads are made side by side, and how soon again: docs/agent.md. GCE answers within 60 s. */
const paces = {
  aws: { reads: 3, everyS: 2 },
  azure: { reads: 1, everyS: 1 },
  gce: { reads: 2, everyS: 60 },
}

it('costs a Node little: at most 60 MB, a file of 100 KB, and no more reads than its pace allows', async () => {
  expect((await stat(rig.entry)).size).toBeLessThanOrEqual(100 * 1024)
  const services = {
    aws: closed(await startEc2Metadata({ clock })),
    azure: closed(await startAzureMetadata({ clock, name: machine })),
    gce: closed(await startGceMetadata({ clock })),
  }
  const clouds = ['aws', 'azure', 'gce'] as const
  const agents = await Promise.all(clouds.map((cloud) => agentOn(providerIds[cloud], services[cloud])))
  const asked = () => clouds.map((cloud) => services[cloud].requests.length)
  // The start is over, with its token, its version and its first values.
  await eventually('each has asked', () => expect(Math.min(...asked())).toBeGreaterThanOrEqual(4))
  const began = performance.now()
  const before = asked()
  // Ten rounds on EC2. On a slow computer they last longer, and so does the time that is counted.
  const enough = services.aws.requests.length + 10 * paces.aws.reads
  await eventually('ten rounds', () => expect(services.aws.requests.length).toBeGreaterThanOrEqual(enough))
  const more = asked().map((count, index) => count - (before[index] ?? 0))
  const seconds = (performance.now() - began) / 1000
  for (const [index, cloud] of clouds.entries()) {
    const { reads, everyS } = paces[cloud]
    // Of each read one may have been on its way before, and one is made at once. A timer may be a little early.
    expect(more[index], `${cloud} in ${seconds} s`).toBeLessThanOrEqual(reads * (2 + (1.1 * seconds) / everyS))
  }
  expect(agents.map(({ program }) => program.running)).toEqual([true, true, true])
  const memory = await Promise.all(agents.map(({ program }) => residentMB(program.pid)))
  expect(Math.max(...memory)).toBeLessThanOrEqual(60)
})
