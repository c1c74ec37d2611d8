import { expect, inject, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { machineDeployments, machines } from '../../api/kinds.ts'
import { remediationDue } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { createCache } from '../../controllers/runtime/cache/cache.ts'
import { drought } from '../bench/drought.ts'
import { eventually } from '../lab/eventually.ts'
import { deleteNamespace, everythingIn } from '../lab/namespace.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

/** CAPSPOT_LONG: the number and the time of a bad day in a cloud. */
const isLong = process.env['CAPSPOT_LONG'] !== undefined
const many = isLong ? { workers: 200, maxInFlight: 20 } : { workers: 6, maxInFlight: 2 }
const dry = isLong
  ? { seconds: 600, backoff: { initialSeconds: 10, maxSeconds: 300 } }
  : { seconds: 20, backoff: { initialSeconds: 2, maxSeconds: 8 } }

/** A test here mostly waits for core, so they run together. The long ones need the computer for themselves. */
const test = isLong ? it : it.concurrent

async function startRig(): Promise<RemediationRig> {
  const rig = await RemediationRig.start(inject('cluster'))
  // A notice that a poll sees before the end would delete the Machine past the limits of core's remediation.
  await rig.policy('aws', { minHealthySeconds: 0, onNotice: 'ConditionOnly' })
  return rig
}

test('many are preempted at once: none is skipped, none is made twice, and no more go at once than the user allows', async () => {
  await using rig = await startRig()
  const { workers, maxInFlight } = many
  const { client, ctx } = rig.lab
  await rig.apply('aws', workers)
  const ref = { namespace: rig.namespace, name: 'aws-spot' }
  await client.mergePatch(machineDeployments, ref, { patch: { spec: { remediation: { maxInFlight } } } }, ctx)
  const taken = await rig.running('aws', workers)
  const gone = new Set(taken.map(({ metadata }) => metadata.name))
  const there = watchMachines(rig)
  await there.machines.synced(ctx)
  for (const machine of taken) rig.interrupt('aws', machine)
  const isReplaced = () => {
    const names = there.machines.list().map(({ metadata }) => metadata.name)
    expect(names.filter((name) => gone.has(name))).toHaveLength(0)
    expect(names).toHaveLength(workers)
  }
  await eventually('all are replaced', isReplaced, { timeoutMs: 1_200_000 })
  await rig.running('aws', workers)
  expect(there.mostDeletedAtOnce).toBeGreaterThan(0)
  expect(there.mostDeletedAtOnce).toBeLessThanOrEqual(maxInFlight)
  expect(rig.creates('aws')).toBe(2 * workers)
}, 1_800_000)

/** Every moment counts, so the test watches instead of polling. */
function watchMachines({ lab, namespace }: RemediationRig) {
  const cache = createCache<KubeObject>({ client: lab.client, resource: machines, namespace, project: (raw) => raw })
  const watched = { machines: cache, mostDeletedAtOnce: 0 }
  cache.onChange(() => {
    const deleted = cache.list().filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length
    watched.mostDeletedAtOnce = Math.max(watched.mostDeletedAtOnce, deleted)
  })
  void cache.run(lab.ctx)
  return watched
}

/** A busy computer needs some for a pass. api/rules/capacity/admission.test.ts holds the bound to the second. */
const lateSeconds = 60

test('while there is no capacity one machine is tried for ten, after pauses that grow; once there is, all run within one', async () => {
  await using rig = await startRig()
  const { lab, namespace } = rig
  const cloud = rig.cloud('aws')
  const options = { cloud, namespace, workers: 10, isKnown: true, ...dry }
  const { machinesMade, createCalls, ...rest } = await drought(lab, options)
  const { stepsAllowed, stepSeconds, secondsUntilAllRun, waited, neverAsked, longestTurnSeconds } = rest
  expect(machinesMade).toBeLessThanOrEqual(10 + stepsAllowed)
  expect(createCalls).toBeLessThanOrEqual(10 + stepsAllowed)
  // Some wait before their first request, each for as long as its policy lets it.
  expect(waited).toBeGreaterThan(0)
  expect(neverAsked).toBe(0)
  expect(longestTurnSeconds).toBeLessThanOrEqual(dry.backoff.maxSeconds + lateSeconds)
  // A try within the pause succeeds, and the others follow. The bench measures how fast.
  expect(secondsUntilAllRun).toBeLessThan(stepSeconds + 120)
}, 1_800_000)

function isWhole({ metadata, status }: Machine): boolean {
  const due = findCondition(status?.conditions, remediationDue)
  return metadata.deletionTimestamp === undefined && due?.status !== 'True'
}

test.each([
  ['in any order', () => false],
  ['policies and what makes machines first', (kind: string) => /Policy$|MachineDeployment|MachineSet/.test(kind)],
  ['health checks and Clusters first', (kind: string) => /HealthCheck$|Cluster$/.test(kind)],
])('the namespace is deleted while machines are being replaced, %s: nothing is left', async (_, first) => {
  await using rig = await startRig()
  await rig.apply('aws', 3)
  const [one, two] = await rig.running('aws', 3)
  const before = (await rig.machines('aws')).filter(isWhole)
  rig.interrupt('aws', one)
  rig.interrupt('aws', two)
  // It may be due, on its way out because of the notice, or gone already.
  await eventually('one is being replaced', async () => {
    const whole = new Set((await rig.machines('aws')).filter(isWhole).map(({ metadata }) => metadata.uid))
    expect(before.filter(({ metadata }) => whole.has(metadata.uid)).length).toBeLessThan(before.length)
  })
  const { lab, namespace } = rig
  await deleteNamespace(namespace, lab.client, { first, timeoutMs: 120_000 }, lab.ctx)
  await rig.nothingLeft('aws')
  expect((await everythingIn(namespace, lab.client, lab.ctx)).map(({ resource }) => resource.kind)).toEqual([])
})
