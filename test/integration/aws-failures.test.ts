import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { eventually } from '../lab/eventually.ts'
import { readyOf, SpotRig } from './spot-rig.ts'

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.start(inject('cluster'))
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

it('no capacity: the machine fails once, with the reason and a sentence, and asks no more', async () => {
  rig.aws.control.noCapacity()
  await rig.applyExamples(1)
  await eventually('the machine fails', async () => {
    const [machine] = await rig.awsMachines()
    expect(readyOf(machine)).toMatchObject({ status: 'False', reason: 'InsufficientCapacity' })
    expect(readyOf(machine)?.message).toMatch(/InsufficientInstanceCapacity: .+ No further call is made for it/)
  })
  await rig.lab.manager.stop()
  await rig.startManager()
  // A second machine shows that the restarted manager has been through all of them.
  await rig.scaleTo(2)
  await eventually('the second machine fails too', async () => {
    const reasons = (await rig.awsMachines()).map((machine) => readyOf(machine)?.reason)
    expect(reasons).toEqual(['InsufficientCapacity', 'InsufficientCapacity'])
  })
  expect(rig.calls('RunInstances')).toBe(2)
  expect(rig.aws.control.instances()).toEqual([])
})

it('a stopped instance is reported with EC2’s reason, and neither started nor replaced by us', async () => {
  await rig.applyExamples(1)
  const [machine] = await rig.running(1)
  rig.aws.control.stop(machine?.spec.providerID?.split('/').at(-1) ?? '')
  await eventually('the machine says so', async () => {
    const [stopped] = await rig.awsMachines()
    expect(readyOf(stopped)).toMatchObject({ status: 'False', reason: 'InstanceStopped' })
    expect(readyOf(stopped)?.message).toContain('Client.InstanceInitiatedShutdown')
  })
  await rig.afterPolls(3)
  const changes = rig.aws.control.requests().filter(({ action }) => !action.startsWith('Describe'))
  expect(changes.map(({ action }) => action)).toEqual(['RunInstances'])
})

it('an instance that vanished is gone for good, and its machine is not created again', async () => {
  await rig.applyExamples(1)
  const [machine] = await rig.running(1)
  rig.aws.control.vanish(machine?.spec.providerID?.split('/').at(-1) ?? '')
  await eventually('the machine says so', async () => {
    const [gone] = await rig.awsMachines()
    expect(readyOf(gone)).toMatchObject({ status: 'False', reason: 'InstanceGone' })
  })
  await rig.afterPolls(3)
  expect(rig.calls('RunInstances')).toBe(1)
})
