import { expect, test } from 'vitest'
import { ApiError } from '../../../../controllers/runtime/client/api-error.ts'
import type { KubeClient } from '../../../../controllers/runtime/client/client.ts'
import { FakeClock } from '../../../support/fakes/fake-clock.ts'
import { quietCtx } from '../../../support/fakes/quiet-ctx.ts'
import { ClusterNodes, type ClusterNodesOptions } from './cluster-nodes.ts'
import type { NodeCondition, NodeObject } from './node-object.ts'
import type { BootedMachine } from '../instances/nodes.ts'

type Stored = NodeObject & { status: { conditions: readonly NodeCondition[] } }

/** The Nodes of a cluster, as far as kubelets use them. */
class FakeNodes {
  readonly stored = new Map<string, Stored>()
  readonly calls: string[] = []
  /** Thrown by the next calls, one each. */
  readonly troubles: Error[] = []
  #uids = 0

  client(): KubeClient {
    const unused = () => Promise.reject(new Error('This call is not part of the fake'))
    return {
      get: (_, { name }) => this.#do(`get ${name}`, () => this.#find(name) as never),
      create: (_, object) => this.#do(`create ${object.metadata.name}`, () => this.#create(object as never) as never),
      apply: (_, object, { subresource }) =>
        this.#do(`apply ${object.metadata.name}/${subresource}`, () => this.#apply(object as never) as never),
      delete: (_, { name }, { uid }) =>
        this.#do(`delete ${name}`, () => {
          if (this.#find(name).metadata.uid !== uid) throw refusal(409, 'Conflict')
          this.stored.delete(name)
        }),
      mergePatch: unused,
      jsonPatch: unused,
      list: unused,
      watch: () => {
        throw new Error('This call is not part of the fake')
      },
      raw: unused,
      close: () => Promise.resolve(),
    }
  }

  ready(name: string): NodeCondition | undefined {
    return this.stored.get(name)?.status.conditions.find(({ type }) => type === 'Ready')
  }

  async #do<T>(call: string, run: () => T): Promise<T> {
    this.calls.push(call)
    const trouble = this.troubles.shift()
    if (trouble) throw trouble
    return run()
  }

  #find(name: string): Stored {
    const found = this.stored.get(name)
    if (!found) throw refusal(404, 'NotFound')
    return found
  }

  #create(object: Stored): Stored {
    if (this.stored.has(object.metadata.name)) throw refusal(409, 'AlreadyExists')
    this.#uids += 1
    const stored = { ...object, metadata: { ...object.metadata, uid: `uid-${this.#uids}` } }
    this.stored.set(object.metadata.name, stored)
    return stored
  }

  #apply(object: Stored): Stored {
    const before = this.#find(object.metadata.name)
    const after = { ...before, status: { ...before.status, ...object.status } }
    this.stored.set(object.metadata.name, after)
    return after
  }
}

const refusal = (status: number, reason: string) => new ApiError({ status, reason, message: reason })

const machine: BootedMachine = {
  name: 'ip-10-0-0-4.ec2.internal',
  providerID: 'aws:///us-east-1a/i-1',
  instanceType: 'm5.large',
  region: 'us-east-1',
  zone: 'us-east-1a',
  addresses: [{ type: 'InternalIP', address: '10.0.0.4' }],
  architecture: 'amd64',
  cpus: 2,
  memoryMiB: 8192,
  devices: { 'nvidia.com/gpu': 1 },
}
const { name } = machine

function setUp(options: Partial<ClusterNodesOptions> = {}) {
  const clock = new FakeClock()
  const ending = new AbortController()
  const fake = new FakeNodes()
  const ctx = quietCtx({ clock, signal: ending.signal })
  const nodes = new ClusterNodes({ client: fake.client(), ctx, heartbeatMs: 10_000, ...options })
  return { clock, ending, fake, nodes }
}

test('a machine that has started registers as a Node that a controller can use', async () => {
  const { clock, fake, nodes } = setUp()
  nodes.started(machine)
  await clock.advance(0)
  expect(fake.stored.get(name)).toMatchObject({
    metadata: {
      labels: {
        'kubernetes.io/hostname': name,
        'node.kubernetes.io/instance-type': 'm5.large',
        'topology.kubernetes.io/region': 'us-east-1',
        'topology.kubernetes.io/zone': 'us-east-1a',
      },
    },
    spec: { providerID: 'aws:///us-east-1a/i-1' },
    status: {
      addresses: [{ type: 'InternalIP', address: '10.0.0.4' }],
      capacity: { cpu: '2', memory: '8192Mi', 'nvidia.com/gpu': '1' },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    },
  })
  expect(fake.ready(name)).toMatchObject({ status: 'True', reason: 'KubeletReady' })
})

test('it says every ten seconds that it is alive, and nothing else', async () => {
  const { clock, fake, nodes } = setUp()
  nodes.started(machine)
  await clock.advance(30_000)
  expect(fake.calls).toEqual([`create ${name}`, ...Array.from({ length: 3 }, () => `apply ${name}/status`)])
  expect(fake.ready(name)).toMatchObject({
    status: 'True',
    lastHeartbeatTime: '2026-01-01T00:00:30Z',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  })
})

test('when the machine stops the Node stays, and is known to be silent', async () => {
  const { clock, fake, nodes } = setUp()
  nodes.started(machine)
  await clock.advance(15_000)
  nodes.stopped(machine)
  await clock.advance(60_000)
  expect(fake.ready(name)).toMatchObject({
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    lastTransitionTime: '2026-01-01T00:00:15Z',
  })
  await nodes.settled()
  expect(clock.pending).toBe(0)
})

test('where the real node lifecycle controller runs, a kubelet that has died writes nothing more', async () => {
  const { clock, fake, nodes } = setUp({ lifecycleIsReal: true })
  nodes.started(machine)
  await clock.advance(15_000)
  nodes.stopped(machine)
  const before = fake.calls.length
  await clock.advance(60_000)
  expect(fake.calls.slice(before)).toEqual([])
  expect(fake.ready(name)?.status).toBe('True')
})

test('the Pods of a machine are served from its registration to its end, and again when it starts again', async () => {
  const lives: AbortSignal[] = []
  const serve = (node: string, life: AbortSignal) => {
    expect(node).toBe(name)
    lives.push(life)
  }
  const { clock, fake, nodes } = setUp({ pods: { serve } })
  fake.troubles.push(refusal(503, 'ServiceUnavailable'))
  nodes.started(machine)
  await clock.advance(0)
  expect(lives).toEqual([])
  await clock.advance(1_000)
  expect(lives.map(({ aborted }) => aborted)).toEqual([false])
  nodes.stopped(machine)
  nodes.started(machine)
  await clock.advance(0)
  expect(lives.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('a Node that somebody deleted does not come back', async () => {
  const { clock, fake, nodes } = setUp()
  nodes.started(machine)
  await clock.advance(0)
  fake.stored.delete(name)
  await clock.advance(60_000)
  nodes.stopped(machine)
  await nodes.settled()
  expect(fake.stored.size).toBe(0)
})

test('while the cluster does not answer it tries again', async () => {
  const { clock, fake, nodes } = setUp()
  fake.troubles.push(refusal(0, 'Unreachable'), refusal(503, 'ServiceUnavailable'), refusal(500, 'InternalError'))
  nodes.started(machine)
  await clock.advance(5_000)
  expect(fake.ready(name)?.status).toBe('True')
})

test('a machine that stopped while the cluster was away is silent in the end', async () => {
  const { clock, fake, nodes } = setUp()
  nodes.started(machine)
  await clock.advance(0)
  fake.troubles.push(...Array.from({ length: 5 }, () => refusal(0, 'Unreachable')))
  nodes.stopped(machine)
  await clock.advance(60_000)
  expect(fake.ready(name)?.status).toBe('Unknown')
})

test('a new machine takes over the name of one that is long gone, with a Node of its own', async () => {
  const { clock, fake, nodes } = setUp()
  nodes.started(machine)
  await clock.advance(0)
  nodes.stopped(machine)
  await clock.advance(0)
  const before = fake.stored.get(name)?.metadata.uid
  nodes.started({ ...machine, providerID: 'aws:///us-east-1a/i-2' })
  await clock.advance(0)
  expect(fake.stored.get(name)).toMatchObject({ spec: { providerID: 'aws:///us-east-1a/i-2' } })
  expect(fake.stored.get(name)?.metadata.uid).not.toBe(before)
  expect(fake.ready(name)?.status).toBe('True')
})

test('when the simulator ends so do all kubelets, without a last word', async () => {
  const { clock, ending, fake, nodes } = setUp()
  nodes.started(machine)
  await clock.advance(0)
  ending.abort(new Error('The end.'))
  await nodes.settled()
  expect(clock.pending).toBe(0)
  expect(fake.ready(name)?.status).toBe('True')
})
