import { beforeEach, describe, expect, it } from 'vitest'
import { requests } from '../../api/labels.ts'
import { InterruptionWorld } from '../../test/support/worlds/interruption-world.ts'

let world: InterruptionWorld
beforeEach(() => {
  world = new InterruptionWorld()
  world.putMachine('m1')
})

describe('a rehearsal', () => {
  it('does what a notice does, and is asked for once', async () => {
    world.annotate({ [requests.rehearse]: '2m' })
    await world.settle()
    expect(world.decided).toMatchObject({ kind: 'Rehearsal', act: 'Delete' })
    expect(world.machine.metadata.annotations).not.toHaveProperty([requests.rehearse])
    expect(world.isDeleting).toBe(true)
  })

  it('with a value that is no duration is ignored, and an event says so', async () => {
    world.annotate({ [requests.rehearse]: 'soon' })
    await world.settle()
    expect(world.apiserver.writes).toEqual([])
    expect(world.reasons).toEqual(['RehearsalIgnored'])
  })

  it('that comes from the template is ignored: each new Machine would rehearse, for ever', async () => {
    world.putSet({ replicas: 1, template: { metadata: { annotations: { [requests.rehearse]: '2m' } } } })
    world.annotate({ [requests.rehearse]: '2m' })
    await world.settle()
    expect(world.apiserver.writes).toEqual([])
    expect(world.reasons).toEqual(['RehearsalIgnored'])
  })

  it('that comes from a template which had it once is ignored: core takes it off the Machines one by one', async () => {
    const fieldsV1 = { 'f:metadata': { 'f:annotations': { [`f:${requests.rehearse}`]: {} } } }
    const managedFields = [{ manager: 'capi-machineset', operation: 'Apply', fieldsV1 }]
    world.putMachine('m1', { managedFields, annotations: { [requests.rehearse]: '2m' } })
    await world.settle()
    expect(world.apiserver.writes).toEqual([])
    expect(world.reasons).toEqual(['RehearsalIgnored'])
  })

  it('that comes from a template which the cache does not show yet is ignored: core writes the Machines after it', async () => {
    world.lateSet = world.set
    world.putSet({ replicas: 1, template: { metadata: { annotations: { [requests.rehearse]: '2m' } } } })
    world.annotate({ [requests.rehearse]: '2m' })
    await world.settle()
    expect(world.apiserver.writes).toEqual([])
    expect(world.reasons).toEqual(['RehearsalIgnored'])
  })

  it('of a Machine whose MachineSet is gone deletes nothing', async () => {
    world.apiserver.remove('MachineSet', 'default/set')
    world.annotate({ [requests.rehearse]: '2m' })
    await world.settle()
    expect(world.decided).toMatchObject({ act: 'Cordon' })
    expect(world.isDeleting).toBe(false)
  })
})
