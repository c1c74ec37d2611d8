import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { readInterruption, type Interruption } from '../../api/interruption.ts'
import { machines, nodes, secrets } from '../../api/kinds.ts'
import type { Machine, NodeCondition } from '../../api/machine.ts'
import { eventually } from '../lab/eventually.ts'
import { freePort } from '../lab/processes/port.ts'
import { Endpoint } from '../lab/endpoint.ts'
import { readyOf } from './rigs/cloud-cluster.ts'
import { SpotRig } from './rigs/spot-rig.ts'

/** The pauses of the cache grow while an outage lasts. */
const patiently = { timeoutMs: 15_000, everyMs: 50 }

/** Its Machines are young and nobody replaces them, so that each test finds them. */
let rig: SpotRig
let endpoint: Endpoint
let port: number

beforeAll(async () => {
  rig = await SpotRig.start(inject('cluster'))
  endpoint = await Endpoint.start(apiserverPort())
  port = await freePort()
  await rig.startManager([], { CAPSPOT_METRICS_BIND_ADDRESS: `127.0.0.1:${port}` })
  await rig.applyExamples(5, { WORKLOAD_KUBECONFIG_B64: await kubeconfigBy(endpoint) })
  await rig.running(5)
  await eventually('the Nodes are labelled', async () => {
    const labelled = (await rig.nodes()).filter(({ metadata: { labels } }) => labels && interruptible in labels)
    expect(labelled).toHaveLength(5)
  })
})

afterAll(async () => {
  await rig.deleteCluster()
  expect(rig.alive()).toEqual([])
  await rig[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

const interruptible = 'cluster.x-k8s.io/interruptible'

function apiserverPort(): number {
  return Number(new URL(rig.lab.cluster.admin.server).port)
}

/** The kubeconfig of the lab's API server at another address. */
async function kubeconfigBy({ port: there }: Endpoint): Promise<string> {
  const given = await readFile(rig.lab.cluster.kubeconfig, 'utf8')
  const text = given.replaceAll(rig.lab.cluster.admin.server, `https://127.0.0.1:${there}`)
  return Buffer.from(text).toString('base64')
}

async function machineOf(node: string): Promise<Machine | undefined> {
  const all = await rig.list<Machine>(machines)
  return all.find(({ status }) => status?.nodeRef?.name === node)
}

async function decisionFor(node: string): Promise<Interruption | undefined> {
  const machine = await machineOf(node)
  const reading = machine && readInterruption(machine)
  return reading?.is === 'ours' ? reading.interruption : undefined
}

/** The watched Nodes for whose Machines nothing is decided yet, in the order of their names. */
async function quietNodes(): Promise<string[]> {
  const quiet: string[] = []
  for (const { metadata } of await rig.nodes()) {
    const isWatched = metadata.labels?.[interruptible] !== undefined
    if (isWatched && !(await decisionFor(metadata.name))) quiet.push(metadata.name)
  }
  return quiet.toSorted()
}

/** Writes a condition, as an agent on the Node does. */
async function say(node: string, condition: Pick<NodeCondition, 'type'> & Partial<NodeCondition>): Promise<void> {
  const time = new Date().toISOString().replace(/\.\d+Z/, 'Z')
  const whole = { status: 'True', reason: 'Said', message: '', lastTransitionTime: time, lastHeartbeatTime: time }
  const status = { conditions: [{ ...whole, ...condition }] }
  const options = { fieldManager: 'agent', subresource: 'status', force: true }
  const object = { metadata: { name: node }, status } as { metadata: { name: string } }
  await rig.lab.client.apply(nodes, object, options, rig.lab.ctx)
}

async function decided(node: string): Promise<Interruption> {
  return eventually(
    `a decision for ${node}`,
    async () => {
      const decision = await decisionFor(node)
      if (!decision) throw new Error('There is none.')
      return decision
    },
    patiently,
  )
}

async function isReady(): Promise<void> {
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
}

it('a condition of a Node becomes the decision about its Machine', async () => {
  const [node = ''] = await quietNodes()
  // After another test the cache may just be connecting again.
  await say(node, { type: 'RebalanceRecommended' })
  expect(await decided(node)).toMatchObject({ kind: 'Rebalance', source: 'Agent' })
  const deadline = new Date(Date.now() + 120_000).toISOString().replace(/\.\d+Z/, 'Z')
  const message = `The instance ends at ${deadline}`
  await say(node, { type: 'Terminating', message })
  const decision = await eventually(
    'the notice counts',
    async () => {
      const latest = await decisionFor(node)
      expect(latest).toMatchObject({ kind: 'Spot', source: 'Agent', deadline })
      return latest
    },
    patiently,
  )
  expect(decision?.for).toBe(`${rig.namespace}/${(await machineOf(node))?.metadata.name}`)
})

it('a lying Node does nothing: one that claims the instance of another, and one with a copied label', async () => {
  const [honest = '', victim = ''] = await quietNodes()
  const providerID = (await rig.nodes()).find(({ metadata }) => metadata.name === victim)?.spec?.providerID
  const name = `liar-${rig.namespace}`
  const liar = { metadata: { name, labels: { [interruptible]: '' } }, spec: { providerID } }
  await rig.lab.client.create(nodes, liar, rig.lab.ctx)
  try {
    await say(name, { type: 'Terminating' })
    // The watch tells in order: after this one the lie is known too.
    await say(honest, { type: 'SpotInterruption' })
    expect(await decided(honest)).toMatchObject({ kind: 'Spot', source: 'Node' })
    expect(await decisionFor(victim)).toBeUndefined()
  } finally {
    await rig.lab.client.delete(nodes, { name }, {}, rig.lab.ctx)
  }
})

it('the API server of the workload cluster is away for 20 s and comes back: machines are made meanwhile, and the cache goes on', async () => {
  const before = rig.alive().length
  const [node = ''] = await quietNodes()
  endpoint.takeAway()
  try {
    const back = sleep(20_000)
    await rig.scaleTo(before + 1)
    await eventually('another instance runs', async () => {
      const reasons = (await rig.awsMachines()).map((one) => readyOf(one)?.reason)
      expect(reasons).toEqual(Array.from({ length: before + 1 }, () => 'Running'))
    })
    await isReady()
    await back
    await isReady()
  } finally {
    endpoint.bringBack()
  }
  await say(node, { type: 'GCESpotPreempting' })
  expect(await decided(node)).toMatchObject({ kind: 'Spot', source: 'Node' })
})

it('a Secret that leads elsewhere: the cache goes on there', async () => {
  await using other = await Endpoint.start(apiserverPort())
  const [node = ''] = await quietNodes()
  await writeSecret(await kubeconfigBy(other))
  endpoint.takeAway()
  try {
    await say(node, { type: 'PreemptionScheduled', message: 'Preempt Started' })
    expect(await decided(node)).toMatchObject({ kind: 'Spot', source: 'Node' })
    await isReady()
  } finally {
    endpoint.bringBack()
    await writeSecret(await kubeconfigBy(endpoint))
  }
})

async function writeSecret(value: string): Promise<void> {
  const ref = { namespace: rig.namespace, name: 'c1-kubeconfig' }
  await rig.lab.client.mergePatch(secrets, ref, { patch: { data: { value } } }, rig.lab.ctx)
}
