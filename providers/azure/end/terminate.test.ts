import { describe, expect, it } from 'vitest'
import { nothingLeft, refTo, startAzureRig } from '../../../test/support/clouds/azure-rig.ts'
import { clientsOf, usualInterface } from '../../../test/simulators/azure/fixture.ts'

describe('terminate', () => {
  it('ends what Azure could not provision', async () => {
    const { create, launch, settle, listed, remove, control } = await startAzureRig()
    control.failNextLaunch('OverconstrainedZonalAllocationRequest')
    await create()
    await settle()
    expect(await listed()).toMatchObject([{ state: 'stopped', failure: { kind: 'capacity' } }])
    await remove(launch())
    expect(control.remains()).toEqual(nothingLeft)
  })

  it('asks once more only while it goes', async () => {
    const { create, launch, terminate, calls, settle } = await startAzureRig()
    await create()
    await settle()
    calls.length = 0
    expect(await terminate(launch())).toBe('going')
    expect(await terminate(launch())).toBe('going')
    expect(calls.map(({ action }) => action)).toEqual([
      'VirtualMachines_Get',
      'VirtualMachines_Delete',
      'VirtualMachines_Get',
    ])
  })

  it('leaves alone an interface and disks that carry another’s tags', async () => {
    const { create, launch, terminate, settle, control, facts, simulator } = await startAzureRig()
    const made = await create()
    const { network } = clientsOf(simulator)
    control.vanish(made.name ?? '')
    await settle()
    const name = `${made.name}-nic`
    await network.networkInterfaces.createOrUpdate(facts.resourceGroup, name, usualInterface(facts)).submitted()
    await expect(terminate(launch())).rejects.toMatchObject({ kind: 'conflict', code: 'NotOurs' })
    expect(control.remains().interfaces).toEqual([name])
  })

  it('in a resource group that is gone has nothing left to do', async () => {
    const { launch, terminate, instances, ctx } = await startAzureRig()
    const want = launch({ cluster: { resourceGroup: 'gone' } })
    expect(await terminate(want)).toBe('gone')
    expect(await instances.find(refTo(want), ctx)).toBe('absent')
  })
})
