import { afterAll, beforeAll, expect, test } from 'vitest'
import { interruptionPolicies, machines } from '../../api/kinds.ts'
import { readInterruption } from '../../api/interruption.ts'
import { requests } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import type { ObjectMeta } from '../../api/meta.ts'
import type { Manifest } from '../lab/objects.ts'
import { pods, type Pod } from '../simulators/kit/kubelets/pod.ts'
import { SpotRig } from './rigs/spot-rig.ts'
import { patiently } from './seen/patiently.ts'

let rig: SpotRig
beforeAll(async () => {
  rig = await SpotRig.alone({ kubeControllers: {} })
  await rig.startManager()
})
afterAll(() => rig[Symbol.asyncDispose]())

const graceSeconds = 8
const marginSeconds = 10

test('a Pod that a budget holds is deleted in time for its whole grace period, and no sooner', async () => {
  const { lab, namespace } = rig
  const metadata = { name: 'c1', namespace }
  const policy = { metadata, spec: { clusterName: 'c1', minHealthySeconds: 0 } }
  await lab.client.create(interruptionPolicies, policy, lab.ctx)
  await rig.applyExamples(2)
  await rig.running(2)
  await lab.apply(heldPods(namespace))
  const held = await patiently('two Pods are placed', async () => {
    const placed = (await rig.list<Pod>(pods)).filter(({ status }) => status?.phase === 'Running')
    expect(placed).toHaveLength(2)
    return placed[0]
  })
  const machine = await machineOf(held?.spec.nodeName)
  const patch = { metadata: { annotations: { [requests.rehearse]: '40s' } } }
  const ref = { namespace, name: machine?.metadata.name ?? '' }
  await lab.client.mergePatch(machines, ref, { patch }, lab.ctx)

  const deleted = await patiently('the Pod is deleted', async () => {
    const found = await podOf(held)
    expect(found?.deletionTimestamp).toBeDefined()
    return found
  })
  const reading = readInterruption(await lab.client.get(machines, ref, lab.ctx))
  const deadline = Date.parse((reading.is === 'ours' && reading.interruption.deadline) || '')
  // The API server adds the grace period to the time of the request.
  const endsAt = Date.parse(deleted?.deletionTimestamp ?? '')
  const dueAt = deadline - 1000 * marginSeconds
  expect(deleted?.deletionGracePeriodSeconds).toBe(graceSeconds)
  expect(endsAt).toBeGreaterThanOrEqual(dueAt)
  expect(endsAt).toBeLessThan(deadline)
  expect(await instanceStates()).toEqual(['running', 'running', 'running'])
  await patiently('the Machine is gone when its Pod is', async () => {
    expect(await podOf(held)).toBeUndefined()
    expect((await rig.list<Machine>(machines)).map(({ metadata: { name } }) => name)).not.toContain(ref.name)
  })
})

/** A Deployment of two Pods, of which none may be away. They ignore SIGTERM, so each needs its whole grace period. */
function heldPods(namespace: string): Manifest[] {
  const labels = { app: 'held' }
  const metadata = { name: 'held', namespace }
  const selector = { matchLabels: labels }
  const spec = { terminationGracePeriodSeconds: graceSeconds, containers: [{ name: 'c', image: 'i' }] }
  const template = { metadata: { labels }, spec }
  return [
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { minAvailable: 2, selector } } as Manifest,
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 2, selector, template } } as Manifest,
  ]
}

async function machineOf(node: string | undefined): Promise<Machine | undefined> {
  return (await rig.list<Machine>(machines)).find(({ status }) => status?.nodeRef?.name === node)
}

async function podOf(
  pod: Pod | undefined,
): Promise<(ObjectMeta & { deletionGracePeriodSeconds?: number }) | undefined> {
  return (await rig.list<Pod>(pods)).find(({ metadata }) => metadata.uid === pod?.metadata.uid)?.metadata
}

/** Of the two Machines and the replacement. */
function instanceStates(): Promise<string[]> {
  return patiently('the replacement runs', () => {
    const states = rig.alive().map(({ state }) => state)
    expect(states).toHaveLength(3)
    return states
  })
}
