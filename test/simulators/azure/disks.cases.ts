import { expect, test } from 'vitest'
import { all, refusalOf, startAzure, usualMachine } from './fixture.ts'

test('a machine brings its disks, with its tags and in its zone', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const [disk] = await all(azure.compute.disks.list())
  expect(disk).toMatchObject({
    name: 'm1_OSDisk',
    tags: { Name: 'm1' },
    zones: ['1'],
    diskState: 'Attached',
    diskSizeGB: 30,
    managedBy: expect.stringMatching(/\/virtualMachines\/m1$/) as string,
  })
})

test('a disk on the host is no resource', async () => {
  await using azure = await startAzure()
  const nic = await azure.makeInterface('n1')
  const usual = usualMachine(azure.simulator.facts, 'm1', nic)
  await azure.put('m1', {
    ...usual,
    evictionPolicy: 'Delete',
    hardwareProfile: { vmSize: 'Standard_D2ds_v5' },
    storageProfile: {
      ...usual.storageProfile,
      osDisk: { createOption: 'FromImage', caching: 'ReadOnly', diffDiskSettings: { option: 'Local' } },
    },
  })
  expect(await all(azure.compute.disks.listByResourceGroup(azure.group))).toEqual([])
})

test('a disk that belongs to a machine is not deleted', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const { disks } = azure.compute
  expect(await refusalOf(disks.delete(azure.group, 'm1_OSDisk').submitted())).toMatchObject({
    code: 'OperationNotAllowed',
    status: 409,
  })
  await disks.delete(azure.group, 'none').submitted()
  expect(await refusalOf(disks.get(azure.group, 'none'))).toMatchObject({ code: 'ResourceNotFound', status: 404 })
})

test('a disk that was left behind is in the way of the next machine of its name', async () => {
  await using azure = await startAzure()
  const { facts, control } = azure.simulator
  const nic = await azure.makeInterface('n1')
  const usual = usualMachine(facts, 'm1', nic)
  const osDisk = { createOption: 'FromImage', name: 'm1_OSDisk' }
  await azure.put('m1', { ...usual, storageProfile: { ...usual.storageProfile, osDisk } })
  control.terminate('m1')
  await azure.clock.advance(1000)
  expect(control.remains().disks).toEqual(['m1_OSDisk'])
  const again = azure.put('m1', usualMachine(facts, 'm1', await azure.makeInterface('n2')))
  expect(await refusalOf(again)).toEqual({
    code: 'ConflictingUserInput',
    status: 409,
    message: "Disk 'm1_OSDisk' already exists in resource group 'SPOT-WORKERS'. Only CreateOption.Attach is supported.",
  })
})
