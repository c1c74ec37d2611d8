import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { labCloudNames } from '../lab/clouds/start.ts'
import { eventually } from '../lab/eventually.ts'
import { CloudRig, instanceOf } from './cloud-rig.ts'

/** What makes each cloud delete an instance that it takes back; EC2 always does. */
const deletedWhenTaken: Readonly<Record<(typeof labCloudNames)[number], object>> = {
  aws: {},
  azure: { spotVMOptions: { evictionPolicy: 'Delete' } },
  gcp: { instanceTerminationAction: 'Delete' },
  ibm: { availabilityPolicy: { preemption: 'delete' } },
}

/** A cloud that finds out at once has nothing to find out later. */
function refuseLater({ control, refuseLater: later }: LabCloud): void {
  if (later) later()
  else control.noCapacity()
}

/** What makes each stop it, where that is not what the examples say. */
const stoppedWhenTaken: Partial<Record<(typeof labCloudNames)[number], object>> = {
  azure: { spotVMOptions: { evictionPolicy: 'Deallocate' } },
}

describe.each(labCloudNames)('%s', (name) => {
  let rig: CloudRig
  beforeEach(async () => {
    rig = await CloudRig.start(inject('cluster'), name)
  })
  afterEach(() => rig[Symbol.asyncDispose]())

  it('a MachineDeployment of 2 becomes instances, Nodes and labels; one is taken; all is cleaned up', async () => {
    await rig.apply(2, stoppedWhenTaken[name])
    const [taken, ...others] = await rig.running(2)
    expect(others).toHaveLength(1)
    expect(rig.cloud.alive()).toHaveLength(2)
    const handle = instanceOf(taken)
    expect(taken?.status).toMatchObject({ capacityType: 'Spot', instanceID: expect.stringContaining(handle) as string })
    expect(rig.creates()).toBe(2)
    await eventually('labels on each Node', async () => {
      const labels = await rig.nodeLabels()
      expect(labels).toHaveLength(2)
      for (const label of labels) {
        expect(label).toMatchObject({
          'cluster.x-k8s.io/interruptible': '',
          'spot.cluster.x-k8s.io/capacity-type': 'Spot',
        })
      }
    })
    rig.cloud.control.interrupt(handle)
    await rig.isReady(taken?.metadata.name ?? '', { status: 'False', reason: 'Interrupted' })
    await eventually('a Warning on the machine and on its Node', async () => {
      const told = (await rig.events('SpotPreemption')).filter(({ type }) => type === 'Warning')
      expect(told.map(({ involvedObject }) => involvedObject.kind).toSorted()).toEqual(
        [rig.machines.kind, 'Node'].toSorted(),
      )
    })
    expect(rig.creates()).toBe(2)
    await rig.scaleTo(0)
    await eventually('no machine is left', async () => expect(await rig.infraMachines()).toEqual([]), {
      timeoutMs: 90_000,
    })
    await rig.deleteCluster()
    await rig.nothingLeft()
  })

  it('taken and deleted by the cloud: the machine says so, and is not made again', async () => {
    await rig.apply(1, deletedWhenTaken[name])
    const [machine] = await rig.running(1)
    rig.cloud.control.interrupt(instanceOf(machine))
    await rig.isReady(machine?.metadata.name ?? '', (ready) => {
      expect(ready?.status).toBe('False')
      expect(['Interrupted', 'InstanceGone']).toContain(ready?.reason)
    })
    expect(rig.creates()).toBe(1)
    await rig.deleteCluster()
    await rig.nothingLeft()
  })

  it('stopped by somebody: the machine says so, and nobody starts it', async () => {
    await rig.apply(1)
    const [machine] = await rig.running(1)
    rig.cloud.control.stop(instanceOf(machine))
    await rig.isReady(machine?.metadata.name ?? '', (ready) => {
      expect(ready?.status).toBe('False')
      expect(['InstanceStopped', 'Interrupted', 'InstanceTerminated']).toContain(ready?.reason)
    })
    expect(rig.creates()).toBe(1)
  })

  it('gone without a trace: the machine says so, and is not made again', async () => {
    await rig.apply(1)
    const [machine] = await rig.running(1)
    rig.cloud.control.vanish(instanceOf(machine))
    await rig.isReady(machine?.metadata.name ?? '', { status: 'False', reason: 'InstanceGone' })
    expect(rig.creates()).toBe(1)
  })

  it.each([
    ['no capacity', () => rig.cloud.control.noCapacity()],
    ['no capacity after the yes, where the cloud says yes first', () => refuseLater(rig.cloud)],
  ])('%s: the machine fails once with the reason, and nothing remains', async (_, refuse) => {
    refuse()
    await rig.apply(1)
    const [machine] = await eventually('the machine is there', async () => {
      const all = await rig.infraMachines()
      expect(all).toHaveLength(1)
      return all
    })
    await rig.isReady(machine?.metadata.name ?? '', { status: 'False', reason: 'InsufficientCapacity' })
    await rig.nothingLeft()
    expect(rig.creates()).toBe(1)
  })
})
