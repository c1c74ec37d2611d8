import { expect, inject, test } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { machineHealthChecks, machines } from '../../api/kinds.ts'
import { core } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import type { Manifest } from '../lab/objects.ts'
import { AheadRig } from './rigs/ahead-rig.ts'
import { isDetached, nameOf } from './rigs/machine-watch.ts'

/** Has a Machine announced that the test holds, and waits for its replacement. */
async function replacedBeside(machine: Machine, replicas: number, rig: AheadRig): Promise<void> {
  await rig.hold(machine)
  await rig.rehearse(machine)
  await eventually('it is detached', async () => {
    const now = await rig.now(machine)
    expect(now && isDetached(now)).toBe(true)
  })
  await rig.available(replicas)
}

// A test here mostly waits for core, so they run together.
test.concurrent('a late apply of core, with everything that it knew before the detach, is refused and changes no count', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const [old] = await rig.workers(1)
  await replacedBeside(old, 1, rig)
  const hasReplicas = (count: number) =>
    eventually(`the MachineSet has ${count}`, async () =>
      expect((await rig.machineSets())[0]?.status?.replicas).toBe(count),
    )
  await hasReplicas(1)
  const { lab } = rig
  const { metadata, spec } = await lab.client.get<Manifest & Machine>(machines, old.metadata, lab.ctx)
  const { namespace, name, uid, labels, finalizers } = metadata
  const { ownerReferences } = old.metadata
  const late = { metadata: { namespace, name, uid, labels, finalizers, ownerReferences }, spec } as KubeObject
  const applied = lab.client.apply(machines, late, { fieldManager: 'capi-machineset', force: true }, lab.ctx)
  await expect(applied).rejects.toMatchObject({ status: 422 })
  await expect(applied).rejects.toThrow('Only one reference can have Controller set to true')
  // Whatever it counted, it would have made the number of Machines right by then.
  await rig.patchDeployment({ spec: { replicas: 2 } })
  await rig.available(2)
  await hasReplicas(2)
  expect((await rig.all()).map(nameOf)).toHaveLength(3)
  await rig.release(old)
  await rig.gone(old)
  await rig.end()
})

test.concurrent('a health check of a user condemns the Machine that drains: it gets no second replacement', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const [old] = await rig.workers(1)
  await healthCheckOfUser(rig)
  const bought = rig.bought()
  await replacedBeside(old, 1, rig)
  rig.interrupt('aws', await rig.infraOf(old))
  await eventually('it condemns the old one', async () => {
    const said = findCondition((await rig.now(old))?.status?.conditions, 'HealthCheckSucceeded')
    expect(said).toMatchObject({ status: 'False' })
  })
  await rig.release(old)
  await rig.gone(old)
  await rig.polls(2)
  await rig.available(1)
  expect(rig.bought() - bought).toBe(1)
  await rig.end()
})

async function healthCheckOfUser({ lab, namespace }: AheadRig): Promise<void> {
  const metadata = { name: 'by-a-user', namespace, labels: { [core.clusterName]: 'aws' } }
  const selector = { matchLabels: { [core.clusterName]: 'aws' } }
  const unhealthyMachineConditions = [{ type: 'InfrastructureReady', status: 'False', timeoutSeconds: 0 }]
  const spec = { clusterName: 'aws', selector, checks: { nodeStartupTimeoutSeconds: 0, unhealthyMachineConditions } }
  await lab.client.create(machineHealthChecks, { metadata, spec } as KubeObject, lab.ctx)
}

test.concurrent('replacement Afterwards: the MachineSet keeps the Machine, and makes another when it is gone', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const [old] = await rig.workers(1, { replacement: 'Afterwards' })
  await rig.hold(old)
  await rig.rehearse(old)
  await eventually('it is deleted', async () => expect((await rig.now(old))?.metadata.deletionTimestamp).toBeDefined())
  await rig.polls(3)
  expect((await rig.now(old))?.metadata.ownerReferences).toEqual(old.metadata.ownerReferences)
  expect((await rig.all()).map(nameOf)).toEqual([nameOf(old)])
  await rig.release(old)
  await rig.gone(old)
  await rig.available(1)
  await rig.end()
})

test.concurrent('two instances are announced to end soon after they came: they count as failures, and their offering pauses', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const initialSeconds = 10
  const young = await rig.workers(2, { minHealthySeconds: 3_600, backoff: { initialSeconds, maxSeconds: 3_600 } })
  const bought = rig.bought()
  for (const machine of young) rig.interrupt('aws', await rig.infraOf(machine), 120_000)
  await eventually('they count as failed while their instances run', async () => {
    const decided = await Promise.all(young.map((machine) => rig.interruption(machine)))
    expect(decided.map((one) => one?.act)).toEqual(['Remediate', 'Remediate'])
    const due = await rig.due('aws')
    expect(due.map((one) => `${one?.status} ${one?.reason}`)).toEqual(Array(2).fill('False BackingOff'))
    expect(due[0]?.message).toMatch(/^InterruptionNotice: m5\.large spot in us-east-1\w; next try /)
  })
  expect(rig.bought()).toBe(bought)
  const failedAt = Math.min(...Object.values(await rig.backoff('aws')).map((group) => group.failedAt))
  await Promise.all(young.map((machine) => rig.gone(machine)))
  await rig.available(2)
  expect(rig.bought() - bought).toBe(2)
  const [first] = rig.boughtAfter(failedAt)
  // Up to half of a pause may be taken off it.
  expect(first).toBeGreaterThanOrEqual(failedAt + (initialSeconds * 1_000) / 2)
  await rig.end()
})
