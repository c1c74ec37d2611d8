import { expect, test } from 'vitest'
import { powerOf, refusalOf, startAzure, usualMachine, type AzureFixture } from './fixture.ts'

const remove = ({ compute, group }: AzureFixture, name: string, forceDeletion = true) =>
  compute.virtualMachines.delete(group, name, { forceDeletion, updateIntervalInMs: 5 })

test('what the delete options name goes with the machine', async () => {
  await using azure = await startAzure()
  await azure.launchRunning('m1')
  const poller = remove(azure, 'm1')
  await poller.submitted()
  expect(await azure.look('m1')).toMatchObject({ provisioningState: 'Deleting' })
  await azure.clock.advance(1000)
  await poller.pollUntilDone()
  expect(await refusalOf(azure.look('m1'))).toMatchObject({ status: 404 })
  expect(azure.simulator.control.remains()).toEqual({ instances: [], interfaces: [], disks: [], addresses: [] })
})

test('what they do not name stays, belongs to nobody, and can be deleted', async () => {
  await using azure = await startAzure()
  const nic = await azure.makeInterface('n1')
  const usual = usualMachine(azure.simulator.facts, 'm1', nic)
  await azure.put('m1', {
    ...usual,
    storageProfile: {
      ...usual.storageProfile,
      osDisk: { createOption: 'FromImage' },
      dataDisks: [
        { lun: 0, name: 'm1_etcd', createOption: 'Empty', diskSizeGB: 64 },
        { lun: 1, name: 'm1_tmp', createOption: 'Empty', diskSizeGB: 64, deleteOption: 'Delete' },
      ],
    },
    networkProfile: { networkInterfaces: [{ id: nic }] },
  })
  await azure.clock.advance(2000)
  await remove(azure, 'm1').submitted()
  await azure.clock.advance(1000)
  expect(azure.simulator.control.remains()).toMatchObject({ interfaces: ['n1'], disks: ['m1_OsDisk_1', 'm1_etcd'] })
  expect((await azure.network.networkInterfaces.get(azure.group, 'n1')).virtualMachine).toBeUndefined()
  expect(await azure.compute.disks.get(azure.group, 'm1_etcd')).toMatchObject({ diskState: 'Unattached' })
  await azure.network.networkInterfaces.delete(azure.group, 'n1').submitted()
  for (const disk of ['m1_OsDisk_1', 'm1_etcd']) await azure.compute.disks.delete(azure.group, disk).submitted()
  await azure.clock.advance(1000)
  expect(azure.simulator.control.remains()).toMatchObject({ interfaces: [], disks: [] })
})

test('by force it is gone sooner', async () => {
  await using azure = await startAzure({ stopMs: 5000, shutdownMs: 1000 })
  for (const name of ['m1', 'm2']) await azure.launch(name)
  await azure.clock.advance(2000)
  await remove(azure, 'm1', true).submitted()
  await remove(azure, 'm2', false).submitted()
  await azure.clock.advance(1000)
  expect(azure.simulator.control.remains().instances).toEqual(['m2'])
  await azure.clock.advance(5000)
  expect(azure.simulator.control.remains().instances).toEqual([])
})

test('what is not there is deleted already', async () => {
  await using azure = await startAzure()
  await remove(azure, 'm1').submitted()
  expect(azure.simulator.requests).toMatchObject([{ action: 'VirtualMachines_Delete', answer: { status: 204 } }])
})

test('a machine whose provisioning failed can be deleted with all that it had', async () => {
  await using azure = await startAzure()
  azure.simulator.control.failNextLaunch('OverconstrainedZonalAllocationRequest')
  await azure.launchRunning('m1')
  expect(powerOf(await azure.look('m1'))).toBeUndefined()
  await remove(azure, 'm1').submitted()
  await azure.clock.advance(1000)
  expect(azure.simulator.control.remains()).toEqual({ instances: [], interfaces: [], disks: [], addresses: [] })
})

test('the name is free again, and the next machine of that name is another one', async () => {
  await using azure = await startAzure()
  const first = await azure.launch('m1')
  await remove(azure, 'm1').submitted()
  await azure.clock.advance(1000)
  expect(await azure.launch('m1')).not.toBe(first)
})

test('a value that is no truth is refused', async () => {
  await using azure = await startAzure()
  const { subscription, resourceGroup } = azure.simulator.facts
  const path = `/subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/virtualMachines/m1`
  const { status, json } = await azure.raw('DELETE', `${path}?forceDeletion=yes`)
  expect([status, json]).toMatchObject([400, { error: { code: 'InvalidParameter', target: 'forceDeletion' } }])
})
