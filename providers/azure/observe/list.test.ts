import { nameFor } from '../../shared/instance-name.ts'
import { markInName } from '../../../test/support/tag-in-name.ts'
import { describe, expect, it } from 'vitest'
import { nothingLeft, startAzureRig } from '../../../test/support/clouds/azure-rig.ts'
import { clientsOf, interfaceId, usualInterface, usualMachine } from '../../../test/simulators/azure/fixture.ts'

describe('list', () => {
  it('is three lists, page by page, whatever the number of machines', async () => {
    const { create, listed, calls, settle } = await startAzureRig()
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await create({ name: `m${n}`, token: `tokennumber${n}` })
    await settle()
    calls.length = 0
    expect(await listed()).toHaveLength(7)
    const count = (action: string) => calls.filter((call) => call.action === action).length
    expect(calls).toHaveLength(9)
    expect(['VirtualMachines_ListAll', 'NetworkInterfaces_ListAll', 'Disks_List'].map(count)).toEqual([3, 3, 3])
  })

  it('shows nothing of another’s', async () => {
    const { facts, listed, simulator } = await startAzureRig()
    const { compute, network } = clientsOf(simulator)
    await network.networkInterfaces.createOrUpdate(facts.resourceGroup, 'web', usualInterface(facts)).submitted()
    const machine = usualMachine(facts, 'web', interfaceId(facts, 'web'))
    await compute.virtualMachines.createOrUpdate(facts.resourceGroup, 'web', machine).submitted()
    expect(await listed()).toEqual([])
  })

  it('takes a missing power state for what it was, never for an end', async () => {
    const { create, settle, listed, control } = await startAzureRig()
    await create()
    await settle()
    expect(await listed()).toMatchObject([{ state: 'running' }])
    control.missPower(1)
    expect(await listed()).toMatchObject([{ state: 'running', started: true }])
    control.interrupt(control.instances()[0]?.name ?? '')
    await settle()
    expect(await listed()).toMatchObject([{ state: 'running' }])
    control.missPower(0)
    expect(await listed()).toMatchObject([{ state: 'stopped', interrupted: true }])
  })

  it('shows a machine that is on its way up as such, whatever its power', async () => {
    const { create, listed, clock, control } = await startAzureRig()
    await create()
    await clock.advance(1_000)
    expect(control.instances()[0]).toMatchObject({ state: 'stopped', provisioningState: 'Creating' })
    expect(await listed()).toMatchObject([{ state: 'pending', started: false }])
  })

  it('shows the disks of a machine that somebody deleted without them, and terminate removes them', async () => {
    const { launch, settle, listed, remove, control, facts, simulator } = await startAzureRig()
    const name = nameFor(launch())
    const { compute, network } = clientsOf(simulator)
    await network.networkInterfaces.createOrUpdate(facts.resourceGroup, 'other', usualInterface(facts)).submitted()
    const machine = usualMachine(facts, name, interfaceId(facts, 'other'))
    const parts = {
      ...machine.storageProfile,
      osDisk: { createOption: 'FromImage', name: `${name}_OSDisk` },
      dataDisks: [{ lun: 0, createOption: 'Empty', name: `${name}_etcd`, diskSizeGB: 4 }],
    }
    const kept = { ...machine, storageProfile: parts }
    await compute.virtualMachines.createOrUpdate(facts.resourceGroup, name, kept).submitted()
    await settle()
    await compute.virtualMachines.delete(facts.resourceGroup, name).submitted()
    await settle()
    expect(control.remains().disks).toHaveLength(2)
    expect(await listed()).toMatchObject([{ state: 'leftover', name, tag: markInName(launch()) }])
    await remove(launch())
    expect(control.remains().disks).toEqual([])
  })
})

describe('an eviction', () => {
  it('by deletion takes all along', async () => {
    const { create, settle, listed, control } = await startAzureRig()
    const made = await create({ machine: { spotVMOptions: { evictionPolicy: 'Delete' } } })
    await settle()
    control.interrupt(made.name ?? '')
    await settle()
    expect(await listed()).toEqual([])
    expect(control.remains()).toEqual(nothingLeft)
  })

  it('by deallocation leaves the machine, for terminate', async () => {
    const { create, launch, settle, listed, remove, control } = await startAzureRig()
    const made = await create()
    await settle()
    control.interrupt(made.name ?? '')
    await settle()
    expect(await listed()).toMatchObject([{ id: made.id, state: 'stopped', interrupted: true }])
    await remove(launch())
    expect(control.remains()).toEqual(nothingLeft)
  })
})
