import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { requests } from '../../api/labels.ts'
import type { Resource } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import type { Manifest } from '../lab/objects.ts'
import { endsAfter, pods, type Pod } from '../simulators/kit/kubelets/pod.ts'
import { AheadRig } from './rigs/ahead-rig.ts'
import { isAvailable, watchAll, watchMachines } from './rigs/machine-watch.ts'

type Shown = Pod & { status?: { conditions?: { type: string; status: string }[] } }

let rig: AheadRig
/** Of a short notice, as many seconds remain for the drain as were waited. */
const halfSeconds = 12
/** Core drains within them. */
const inTimeSeconds = 5

/** In a management cluster of its own, with the real controllers and the scheduler of Kubernetes. */
beforeAll(async () => {
  rig = await AheadRig.alone({ kubeControllers: {} })
})
afterEach(async () => {
  await rig.lab.delete([web()])
  await rig.end()
})
afterAll(() => rig[Symbol.asyncDispose]())

test('drain WhenReplaced: no Pod is evicted before the replacement is available, and each is then', async () => {
  const { old, pod, evictions, end } = await announced('WhenReplaced')
  await using _end = end
  await rig.atHook(old, 1)
  await rig.polls(3)
  expect(evictions).toEqual([])
  await rig.availableAgain()
  await eventually('it is evicted', () => expect(evictions.map(({ uid }) => uid)).toContain(pod.metadata.uid))
  expect(evictions[0]?.available, 'Machines that were available').toBe(1)
  await rig.gone(old)
})

test('drain WhenReplaced without a replacement: no Pod is evicted before half of a short notice is over, and each is then', async () => {
  const { old, pod, evictions, end } = await announced('WhenReplaced', `${2 * halfSeconds}s`)
  await using _end = end
  await rig.atHook(old, 1)
  const deadline = Date.parse((await rig.interruption(old))?.deadline ?? '')
  await eventually('it is evicted', () => expect(evictions.map(({ uid }) => uid)).toContain(pod.metadata.uid))
  const [eviction] = evictions
  expect(eviction?.available, 'Machines that were available').toBe(0)
  expect(eviction?.at).toBeGreaterThanOrEqual(deadline - 1_000 * halfSeconds)
  expect(eviction?.at).toBeLessThan(deadline - 1_000 * (halfSeconds - inTimeSeconds))
  await rig.gone(old)
})

test('drain AtOnce: Pods are evicted while the replacement is not available yet', async () => {
  const { old, pod, evictions, end } = await announced('AtOnce')
  await using _end = end
  await eventually('it is evicted', () => expect(evictions.map(({ uid }) => uid)).toContain(pod.metadata.uid))
  expect(evictions[0]?.available, 'Machines that were available').toBe(0)
  await rig.gone(old)
})

/** A Machine with a Pod is announced to end. No Machine is available until the test says so. */
async function announced(drain: string, notice?: string) {
  const [old] = await rig.unavailable(1, { drain })
  await rig.lab.apply([web()])
  const machines = await watchMachines(rig)
  const shown = await watchAll<Shown>(pods, rig)
  const pod = await eventually('its Pod is Ready', () => {
    const [ready] = shown.cache.list().filter(isReady)
    if (!ready) throw new Error('not yet')
    return ready
  })
  expect(pod.spec.nodeName).toBe(old.status?.nodeRef?.name)
  const evictions: { uid: string | undefined; at: number; available: number }[] = []
  shown.cache.onChange(({ before, after }) => {
    const isNew = before?.metadata.deletionTimestamp === undefined && after?.metadata.deletionTimestamp !== undefined
    const available = machines.machines.list().filter(isAvailable).length
    if (isNew) evictions.push({ uid: after.metadata.uid, at: rig.lab.ctx.clock.now(), available })
  })
  await rig.rehearse(old, notice)
  const end = new AsyncDisposableStack()
  end.defer(shown.end)
  end.use(machines)
  return { old, pod, evictions, end }
}

/** A Deployment of one Pod. */
function web(): Manifest {
  const labels = { app: 'web' }
  const template = {
    metadata: { labels, annotations: { [endsAfter]: '1s' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }
  const metadata = { name: 'web', namespace: rig.namespace }
  const spec = { replicas: 1, selector: { matchLabels: labels }, template }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as Manifest
}

function isReady({ metadata, status }: Shown): boolean {
  const holds = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false
  return holds && metadata.deletionTimestamp === undefined
}

const bindings: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
  namespaced: false,
}

test('a template of before the admission policy asks for a rehearsal, which would never end: it is ignored, and an event says so', async () => {
  const { client, ctx } = rig.lab
  const [machine] = await rig.workers(1)
  await client.delete(bindings, { name: 'capspot-own-keys' }, {}, ctx)
  await eventually('the template is admitted', () => rig.patchDeployment(asking('2m')))
  await eventually('an event says so', async () => {
    expect(await rig.events(machine, 'RehearsalIgnored')).toEqual([
      expect.stringContaining('the template of its MachineSet has it too') as string,
    ])
  })
  await rig.polls(3)
  expect((await rig.now(machine))?.metadata.deletionTimestamp).toBeUndefined()
  await rig.patchDeployment(asking(null))
  await eventually('core has taken it off', async () =>
    expect((await rig.now(machine))?.metadata.annotations ?? {}).not.toHaveProperty([requests.rehearse]),
  )
  await rig.rehearse(machine)
  await rig.gone(machine)
})

function asking(value: string | null): object {
  return { spec: { template: { metadata: { annotations: { [requests.rehearse]: value } } } } }
}
