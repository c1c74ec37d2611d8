import { afterAll, beforeAll, expect, test } from 'vitest'
import { machines, nodes } from '../../api/kinds.ts'
import type { Machine } from '../../api/machine.ts'
import { createCache } from '../../controllers/runtime/cache/cache.ts'
import type { Manifest } from '../lab/objects.ts'
import { endsAfter, pods, type Pod } from '../simulators/kit/kubelets/pod.ts'
import { SpotRig } from './rigs/spot-rig.ts'
import { patiently } from './seen/patiently.ts'

type Shown = Pod & { status?: { conditions?: { type: string; status: string }[] } }
type Joined = Machine & { status?: { nodeRef?: { name: string } } }

let rig: SpotRig
beforeAll(async () => {
  rig = await SpotRig.alone({ kubeControllers: {} })
  await rig.startManager()
})
afterAll(() => rig[Symbol.asyncDispose]())

test('core drains a Machine: each Pod gets its time and runs elsewhere before the instance ends', async () => {
  const { lab, namespace } = rig
  await rig.applyExamples(2)
  await rig.running(2)
  await lab.apply(twoPods(namespace))
  await using watched = await watchPods()
  const [pod] = await patiently('two Pods are Ready', () => {
    expect(watched.ready()).toHaveLength(2)
    return watched.ready()
  })
  const name = pod?.spec.nodeName ?? ''
  const machine = (await rig.list<Joined>(machines)).find(({ status }) => status?.nodeRef?.name === name)
  const infra = (await rig.awsMachines()).find(({ metadata }) => metadata.name === machine?.metadata.name)
  const id = infra?.status?.instanceID ?? ''
  expect(rig.instance(id)).toMatchObject({ state: 'running' })

  watched.begin()
  await lab.client.delete(machines, { namespace, name: machine?.metadata.name ?? '' }, {}, lab.ctx)
  await patiently('the instance ends', () => expect(rig.alive().map((one) => one.id)).not.toContain(id))
  expect(watched.ready()).toHaveLength(2)
  for (const { spec } of watched.ready()) expect(spec.nodeName).not.toBe(name)
  expect(watched.lasted.length).toBeGreaterThan(0)
  // The kubelet may see a deletion a little earlier than this test does.
  for (const ms of watched.lasted) expect(ms).toBeGreaterThanOrEqual(2_500)
  expect(watched.least(), 'Ready Pods at any time').toBeGreaterThanOrEqual(1)
  await patiently('its Node is gone', () =>
    expect(lab.client.get(nodes, { name }, lab.ctx)).rejects.toMatchObject({ status: 404 }),
  )
})

/** A Deployment of two Pods that take 3 s to end, of which one may be away. */
function twoPods(namespace: string): Manifest[] {
  const labels = { app: 'web' }
  const metadata = { name: 'web', namespace }
  const selector = { matchLabels: labels }
  const template = {
    metadata: { labels, annotations: { [endsAfter]: '3s' } },
    spec: { terminationGracePeriodSeconds: 60, containers: [{ name: 'c', image: 'i' }] },
  }
  return [
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 2, selector, template } } as Manifest,
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { minAvailable: 1, selector } } as Manifest,
  ]
}

interface Watched extends AsyncDisposable {
  /** Pods that are Ready and not deleted. */
  ready(): readonly Shown[]
  /** Counts the fewest of them from now on. */
  begin(): void
  least(): number
  /** The milliseconds from the deletion of each Pod to its end. */
  readonly lasted: readonly number[]
}

async function watchPods(): Promise<Watched> {
  const { lab, namespace } = rig
  const cache = createCache<Shown>({ client: lab.client, resource: pods, namespace, project: (raw) => raw as Shown })
  const ready = () => cache.list().filter(isReady)
  const deleted = new Map<string, number>()
  const lasted: number[] = []
  let least = Infinity
  cache.onChange(({ key, after }) => {
    least = Math.min(least, ready().length)
    const at = deleted.get(key)
    if (after?.metadata.deletionTimestamp !== undefined) deleted.set(key, at ?? performance.now())
    if (!after && at !== undefined) lasted.push(performance.now() - at)
  })
  const ending = new AbortController()
  const ctx = { ...lab.ctx, signal: AbortSignal.any([lab.ctx.signal, ending.signal]) }
  const running = cache.run(ctx)
  await cache.synced(ctx)
  return {
    ready,
    lasted,
    begin: () => (least = ready().length),
    least: () => least,
    async [Symbol.asyncDispose]() {
      ending.abort(new Error('The test is over.'))
      await running
    },
  }
}

function isReady({ metadata, status }: Shown): boolean {
  const holds = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false
  return holds && metadata.deletionTimestamp === undefined
}
