import { expect, inject, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import { instanceOf } from './rigs/cloud-cluster.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { moveIn } from './rigs/neighbours.ts'
import { refuseHandles } from './seen/refused-writes.ts'
import { patiently } from './seen/patiently.ts'

/** A test here mostly waits for core, so they run together. */
async function startRig(): Promise<CloudsRig> {
  const rig = await CloudsRig.start(inject('cluster'))
  await rig.startManager()
  return rig
}

it.concurrent('killed before the create is done: the restarted manager makes one instance, which goes with its Machine', async () => {
  await using rig = await startRig()
  const held = await rig.each(async (one) => {
    const hold = one.cloud.control.hold(one.cloud.createAction, 'before', { repeats: true })
    await one.apply(1)
    await hold.reached
    return hold
  })
  await rig.killManager()
  for (const hold of held) hold.drop()
  for (const { cloud } of rig.clusters) expect(cloud.alive()).toEqual([])
  await rig.startManager()
  await expectOneInstanceAndItsEnd(rig)
})

it.concurrent('killed after the commit and before the answer: the restarted manager finds that instance', async () => {
  await using rig = await startRig()
  const held = await rig.each(async (one) => {
    const hold = one.cloud.control.hold(one.cloud.createAction, 'after')
    await one.apply(1)
    await hold.reached
    return hold
  })
  await rig.killManager()
  for (const hold of held) hold.release()
  for (const { cloud } of rig.clusters) expect(cloud.alive()).toHaveLength(1)
  await rig.startManager()
  await expectOneInstanceAndItsEnd(rig)
})

it.concurrent('killed after the answer and before the write: the restarted manager finds that instance', async () => {
  await using rig = await startRig()
  const policy = await refuseHandles(rig)
  await rig.each(async (one) => {
    await one.apply(1)
    await patiently('the create was answered', () => expect(one.cloud.alive()).toHaveLength(1))
  })
  await patiently('the writes of the answers are refused', async () => {
    const said = rig.lab.manager.logs().split('\n')
    await rig.each(async ({ machineKind }) => {
      const refused = said.filter((line) => line.includes('not yet, says the test'))
      expect(refused.some((line) => line.toLowerCase().includes(machineKind.kind.toLowerCase()))).toBe(true)
    })
  })
  await rig.each(async (one) => {
    const [machine] = await one.infraMachines()
    expect(machine?.metadata.annotations?.[annotations.attempt]).not.toContain('handle')
  })
  await rig.killManager()
  await policy.lift()
  await rig.startManager()
  await expectOneInstanceAndItsEnd(rig)
})

/**
 * One machine runs in each cloud, on the only instance. Deleted, it leaves nothing, and the resources of others stay.
 */
async function expectOneInstanceAndItsEnd(rig: CloudsRig): Promise<void> {
  await rig.each(async (one) => {
    const [machine] = await one.running(1)
    expect(one.cloud.alive().map(({ id }) => id)).toEqual([instanceOf(machine)])
    expect(one.cloud.bought()).toHaveLength(1)
    const { areAlone } = await moveIn(one, machine)
    await one.deleteCluster()
    await areAlone()
  })
}
