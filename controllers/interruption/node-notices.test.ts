import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeAttempt } from '../../api/attempt.ts'
import { writeInterruption } from '../../api/interruption.ts'
import { clusterKeyOf, type Cluster, type InfraMachine, type Machine } from '../../api/machine.ts'
import { decided } from '../../test/support/decided.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { TellingCache } from '../../test/support/fakes/telling-cache.ts'
import { until } from '../../test/support/until.ts'
import { WorkloadNodes } from '../../test/support/worlds/workload-nodes.ts'
import { NodeCaches, unusedForMs } from '../workload/node-caches.ts'
import { runNodeNotices, type NodeNotice } from './node-notices.ts'

const namespace = 'default'
const labels = { 'cluster.x-k8s.io/cluster-name': 'c1' }

let clock: FakeClock
let management: FakeApiserver
let workload: WorkloadNodes
let clusters: TellingCache<Cluster>
let machines: TellingCache<Machine>
let infras: TellingCache<InfraMachine>
let nodeCaches: NodeCaches
let told: { cluster: string; machine: string; notice: NodeNotice }[]
let refused: unknown[]
let stop: AbortController
let running: Promise<void>

beforeEach(async () => {
  clock = new FakeClock()
  management = new FakeApiserver()
  workload = await WorkloadNodes.start()
  workload.secretIn(management)
  clusters = new TellingCache()
  machines = new TellingCache<Machine>({ cluster: clusterKeyOf })
  infras = new TellingCache<InfraMachine>({ cluster: clusterKeyOf })
  clusters.put({ metadata: { namespace, name: 'c1' }, spec: {} })
  start()
})

afterEach(async () => {
  await end()
  await workload[Symbol.asyncDispose]()
})

function start(): void {
  told = []
  refused = []
  stop = new AbortController()
  nodeCaches = new NodeCaches({ management: management.client(), random: () => 0 })
  const infraMachines = new Map([['AWSMachine', infras]])
  const onNodeNotice = (cluster: string, machine: string, notice: NodeNotice) => {
    told.push({ cluster, machine, notice })
  }
  const counted = { add: (...one: unknown[]) => void refused.push(one) }
  const deps = { clusters, machines, infraMachines, nodeCaches, refused: counted, onNodeNotice }
  running = runNodeNotices(deps, quietCtx({ clock, signal: stop.signal }))
}

async function end(): Promise<void> {
  stop.abort(new Error('enough'))
  await running
}

const providerID = (id: string) => `aws:///us-east-1a/${id}`

function machine(name: string, node?: string): Machine {
  return {
    metadata: { namespace, name, labels },
    spec: { clusterName: 'c1', infrastructureRef: { apiGroup: 'x', kind: 'AWSMachine', name } },
    status: node === undefined ? {} : { nodeRef: { name: node } },
  }
}

function attempt(name: string, handle: string | undefined): Record<string, string> {
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
  const made = { for: `${namespace}/${name}`, owner: 'o', n: 1, token: 't', scope, startedAt: '2026-01-01T00:00:00Z' }
  return writeAttempt({ ...made, ...(handle === undefined ? {} : { handle }) })
}

function infra(name: string, id?: string, interruptible = true): InfraMachine {
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name, uid: name }
  return {
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind: 'AWSMachine',
    metadata: { namespace, name, labels, ownerReferences: [owner], annotations: attempt(name, id) },
    spec: id === undefined ? {} : { providerID: providerID(id) },
    status: { interruptible },
  }
}

interface Says {
  type?: string
  status?: string
  message?: string
  id?: string
}

function node(name: string, { type = 'Terminating', status = 'True', message = '', id = 'i-1' }: Says = {}): void {
  const condition = { type, status, message, lastTransitionTime: '2025-12-31T23:59:59Z' }
  workload.put({ name, spec: { providerID: providerID(id) }, status: { conditions: [condition] } })
}

/** Machine m1 on Node n1, and its Node is watched. */
async function running1(): Promise<void> {
  node('n1', { status: 'False' })
  machines.put(machine('m1', 'n1'))
  infras.put(infra('m1', 'i-1'))
  await until(() => nodeCaches.get('default/c1', 'n1') !== undefined)
}

/** The cache has seen every change of the Nodes. */
async function settled(): Promise<void> {
  const last = `mark-${workload.version}`
  workload.put({ name: last })
  await until(() => nodeCaches.get('default/c1', last) !== undefined)
}

const notice = { instance: 'i-1', kind: 'Spot', at: Date.UTC(2026, 0, 1) - 1_000, source: 'Agent' }
const ofM1 = (said: unknown) => ({ cluster: 'default/c1', machine: 'default/m1', notice: said })

describe('what a Node announces', () => {
  it('is told for its Machine with the id of the instance, once, and again when it changes or is withdrawn', async () => {
    await running1()
    expect(told).toEqual([])
    node('n1')
    await until(() => told.length === 1)
    node('n1')
    machines.put(machine('m1', 'n1'))
    infras.put(infra('m1', 'i-1'))
    await settled()
    node('n1', { message: 'It ends at 2026-01-01T00:02:00Z' })
    await until(() => told.length === 2)
    node('n1', { status: 'False' })
    await until(() => told.length === 3)
    await settled()
    expect(told).toEqual([ofM1(notice), ofM1({ ...notice, deadline: Date.UTC(2026, 0, 1, 0, 2) }), ofM1(undefined)])
  })

  it('a shutdown means to list at once', async () => {
    await running1()
    node('n1', { type: 'NodeShutdown' })
    await until(() => told.length === 1)
    expect(told).toEqual([ofM1('listNow')])
  })

  it('before the Machine has its Node, or its instance: it is told when the last of them is there', async () => {
    node('n1')
    machines.put(machine('m1'))
    infras.put(infra('m1'))
    await until(() => nodeCaches.get('default/c1', 'n1') !== undefined)
    machines.put(machine('m1', 'n1'))
    expect(told).toEqual([])
    infras.put(infra('m1', 'i-1'))
    expect(told).toEqual([ofM1(notice)])
  })

  it('is told again after a start', async () => {
    await running1()
    node('n1')
    await until(() => told.length === 1)
    await end()
    start()
    await until(() => told.length === 1)
    expect(told).toEqual([ofM1(notice)])
  })

  it('is withdrawn after a start, if the Node took it back meanwhile', async () => {
    await running1()
    node('n1')
    await until(() => told.length === 1)
    const noticed = machine('m1', 'n1')
    const annotations = writeInterruption({ ...decided, source: 'Agent' })
    machines.put({ ...noticed, metadata: { ...noticed.metadata, annotations } })
    await end()
    node('n1', { status: 'False' })
    start()
    await until(() => told.length === 1)
    expect(told).toEqual([ofM1(undefined)])
  })

  it('is told again when another source has taken back what it announced: the Node still says it', async () => {
    await running1()
    node('n1')
    await until(() => told.length === 1)
    const noticed = machine('m1', 'n1')
    const annotations = writeInterruption({ ...decided, source: 'SpotRequests' })
    machines.put({ ...noticed, metadata: { ...noticed.metadata, annotations } })
    expect(told).toEqual([ofM1(notice)])
    machines.put(noticed)
    machines.put(noticed)
    expect(told).toEqual([ofM1(notice), ofM1(notice)])
  })

  it('is not withdrawn because the Node is gone, or its Machine, or nobody watches', async () => {
    await running1()
    node('n1')
    await until(() => told.length === 1)
    workload.remove('n1')
    await settled()
    node('n1')
    await until(() => told.length === 2)
    machines.remove('default/m1')
    infras.remove('default/m1')
    await clock.advance(unusedForMs)
    expect(nodeCaches.state('default/c1')).toBeUndefined()
    expect(told).toEqual([ofM1(notice), ofM1(notice)])
  })
})

describe('a lying Node', () => {
  it.each([
    ['that claims the instance of another Machine', () => node('n1', { id: 'i-2' })],
    ['that has another name', () => node('n9')],
  ])('%s does nothing', async (_, lie) => {
    await running1()
    machines.put(machine('m2', 'n2'))
    infras.put(infra('m2', 'i-2'))
    lie()
    await settled()
    expect(told).toEqual([])
  })

  it('of another Cluster does nothing', async () => {
    await using theirs = await WorkloadNodes.start()
    theirs.secretIn(management, 'c2')
    clusters.put({ metadata: { namespace, name: 'c2' }, spec: {} })
    const other = { 'cluster.x-k8s.io/cluster-name': 'c2' }
    const { metadata, ...rest } = infra('m2', 'i-2')
    infras.put({ ...rest, metadata: { ...metadata, labels: other } })
    await running1()
    theirs.put({
      name: 'n1',
      spec: { providerID: providerID('i-1') },
      status: { conditions: [{ type: 'Terminating', status: 'True' }] },
    })
    await until(() => nodeCaches.get('default/c2', 'n1') !== undefined)
    expect(told).toEqual([])
  })
})

describe('a deadline that cannot be true', () => {
  const message = '2030-01-01T00:00:00Z'

  it('is counted, and does nothing', async () => {
    await running1()
    node('n1', { message })
    await settled()
    expect(refused).toMatchObject([['aws', { source: 'Agent', kind: 'Spot' }, 'absurd']])
    expect(told).toEqual([])
  })

  it('is not counted on a Node that is no Machine of ours', async () => {
    await running1()
    node('n9', { message })
    node('n1', { message, id: 'i-9' })
    await settled()
    expect(refused).toEqual([])
  })
})

describe('the Nodes of a Cluster are watched', () => {
  it('from its first interruptible machine on, and not for others', () => {
    infras.put(infra('m1', 'i-1', false))
    expect(nodeCaches.state('default/c1')).toBeUndefined()
    infras.put(infra('m1', 'i-1'))
    expect(nodeCaches.state('default/c1')).toBeDefined()
  })

  it('as long as the Cluster exists', () => {
    clusters.remove('default/c1')
    infras.put(infra('m1', 'i-1'))
    expect(nodeCaches.state('default/c1')).toBeUndefined()
    clusters.put({ metadata: { namespace, name: 'c1' }, spec: {} })
    expect(nodeCaches.state('default/c1')).toBeDefined()
    clusters.remove('default/c1')
    expect(nodeCaches.state('default/c1')).toBeUndefined()
  })

  it('for machines that were there before the start, too', async () => {
    infras.put(infra('m1', 'i-1'))
    await end()
    start()
    expect(nodeCaches.state('default/c1')).toBeDefined()
  })
})

it('ends with the signal, and leaves no listener and no timer', async () => {
  await running1()
  await end()
  expect([clusters.listeners, machines.listeners, infras.listeners, clock.pending]).toEqual([0, 0, 0, 0])
})
