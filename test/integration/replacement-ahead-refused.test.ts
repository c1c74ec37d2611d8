import { expect, inject, test } from 'vitest'
import { readInterruption, writeInterruption, type Interruption } from '../../api/interruption.ts'
import { machines, nodes } from '../../api/kinds.ts'
import { annotations, core, interrupted, requests } from '../../api/labels.ts'
import type { Machine, Node } from '../../api/machine.ts'
import { eventually } from '../lab/eventually.ts'
import { AheadRig } from './rigs/ahead-rig.ts'

async function stays(machine: Machine, rig: AheadRig): Promise<void> {
  await rig.polls(3)
  const now = await rig.now(machine)
  expect(now?.metadata.deletionTimestamp).toBeUndefined()
  expect(now?.metadata.ownerReferences).toEqual(machine.metadata.ownerReferences)
}

// A test here mostly waits for core, so they run together.
test.concurrent('a paused Cluster: notices of the cloud and of a rehearsal begin nothing; when it goes on they do', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const [noticed, rehearsed] = await rig.workers(2)
  if (!rehearsed) throw new Error('There is one Machine too few.')
  for (const machine of [noticed, rehearsed]) await rig.hold(machine)
  await rig.patchCluster({ spec: { paused: true } })
  await eventually('the manager has paused', async () => expect(await rig.isPaused(noticed)).toBe(true))
  rig.interrupt('aws', await rig.infraOf(noticed), 120_000)
  await rig.rehearse(rehearsed)
  for (const machine of [noticed, rehearsed]) {
    await stays(machine, rig)
    expect((await rig.now(machine))?.metadata.annotations).not.toHaveProperty([annotations.interruption])
  }
  await rig.patchCluster({ spec: { paused: false } })
  const kinds = [noticed, rehearsed].map(async (machine) => {
    await eventually('it is deleted', async () =>
      expect((await rig.now(machine))?.metadata.deletionTimestamp).toBeDefined(),
    )
    return (await rig.interruption(machine))?.kind
  })
  expect(await Promise.all(kinds)).toEqual(['Spot', 'Rehearsal'])
  await rig.available(2)
  for (const machine of [noticed, rehearsed]) await rig.release(machine)
  await rig.end()
})

test.concurrent('a rehearsal that core has written, from a template of before, deletes no Machine; that of a person does', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const [machine] = await rig.workers(1)
  const { apiVersion, kind } = { apiVersion: `${machines.group}/${machines.version}`, kind: machines.kind }
  const { namespace, name } = machine.metadata
  const metadata = { namespace, name, annotations: { [requests.rehearse]: '2m' } }
  const fromTemplate = { apiVersion, kind, metadata } as unknown as Machine
  // Core takes it off with its next write, which this does not wait for.
  await rig.lab.client.apply(machines, fromTemplate, { fieldManager: 'capi-machineset-metadata' }, rig.lab.ctx)
  await eventually('an event says so', async () =>
    expect((await rig.events(machine, 'RehearsalIgnored')).join('\n')).toContain('the template'),
  )
  await stays(machine, rig)
  expect(readInterruption((await rig.now(machine)) ?? machine)).toEqual({ is: 'none' })
  await rig.hold(machine)
  await rig.rehearse(machine, '20m')
  await eventually('a person may ask', async () => expect((await rig.interruption(machine))?.kind).toBe('Rehearsal'))
  await rig.release(machine)
  await rig.available(1)
  await rig.end()
})

test.concurrent('a record that is not the decision about this instance deletes nothing, and holds nothing', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const [machine] = await rig.workers(1)
  const { namespace, name } = machine.metadata
  const infra = await rig.infraOf(machine)
  const instance = infra?.status?.instanceID ?? ''
  expect(instance).toMatch(/^i-/)
  const decided: Interruption = {
    for: `${namespace}/${name}`,
    instance,
    kind: 'Spot',
    source: 'SpotRequests',
    at: new Date().toISOString(),
    act: 'Delete',
    machineSet: machine.metadata.ownerReferences?.[0]?.name,
    revision: '1',
    isAhead: true,
    drain: 'WhenReplaced',
  }
  const other = 'i-0000000000000000a'
  const foreign = [
    { record: writeInterruption({ ...decided, for: `${namespace}/another` }), why: `made for ${namespace}/another.` },
    { record: writeInterruption({ ...decided, instance: other }), why: `made for instance ${other}.` },
    { record: { [annotations.interruption]: '{"act":"Delete"' }, why: 'is not a decision of the manager.' },
    { record: writeInterruption({ ...decided, because: 'x'.repeat(3_000) }), why: 'has more than 2048 characters.' },
  ]
  for (const { record, why } of foreign) {
    await rig.annotate(machine, { ...record, [core.preDrainHook]: 'cluster-api-provider-spot' })
    await eventually('the hook is taken off', async () =>
      expect((await rig.now(machine))?.metadata.annotations).not.toHaveProperty([core.preDrainHook]),
    )
    await eventually('an event says why', async () =>
      expect((await rig.events(machine, 'InterruptionForeign')).join('\n')).toContain(why),
    )
  }
  await stays(machine, rig)
  // Only what is wrong with them has held it.
  await rig.annotate(machine, writeInterruption(decided))
  await rig.gone(machine)
  await rig.end()
})

test.concurrent('a Machine of no MachineSet is told of its notice, and its Node is tainted; it is not deleted', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const [worker] = await rig.workers(1)
  const alone = await rig.standAlone(worker)
  await rig.rehearse(alone)
  expect(await told(alone, rig)).toContain('No MachineSet controls the Machine, so nobody would replace it.')
  await stays(alone, rig)
  await rig.deleteMachine(alone)
  await rig.end()
})

test.concurrent('a Machine whose Node core would not drain is told of its notice; it is not deleted', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const [machine] = await rig.ofNoControlPlane(1)
  await rig.rehearse(machine)
  expect(await told(machine, rig)).toContain('Cluster API would not drain the Node of this Cluster.')
  await stays(machine, rig)
  await rig.end()
})

/** Waits for the condition and the taint of its Node. Returns the message. */
async function told(machine: Machine, rig: AheadRig): Promise<string> {
  return eventually('it is told', async () => {
    const told = await rig.told(machine)
    expect(told).toMatchObject({ status: 'True', reason: 'Rehearsal' })
    const name = (await rig.now(machine))?.status?.nodeRef?.name ?? ''
    const node = await rig.lab.client.get<Node>(nodes, { name }, rig.lab.ctx)
    expect(node.spec?.taints?.map(({ key }) => key)).toContain(interrupted.key)
    return told?.message ?? ''
  })
}
