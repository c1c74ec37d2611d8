import { expect, test } from 'vitest'
import { powerOf, provisioningOf, refusalOf, startAzure, usualMachine, type AzureFixture } from './fixture.ts'

async function states(azure: AzureFixture): Promise<unknown[]> {
  const machine = await azure.look('m1')
  return [provisioningOf(machine), powerOf(machine)]
}

async function running(azure: AzureFixture, evictionPolicy: 'Deallocate' | 'Delete', deleteOption = 'Detach') {
  const nic = await azure.makeInterface('m1-nic')
  const usual = usualMachine(azure.simulator.facts, 'm1', nic)
  const osDisk = { ...usual.storageProfile?.osDisk, createOption: 'FromImage', deleteOption: 'Detach' }
  await azure.put('m1', {
    ...usual,
    evictionPolicy,
    storageProfile: { ...usual.storageProfile, osDisk },
    networkProfile: { networkInterfaces: [{ id: nic, primary: true, deleteOption }] },
  })
  await azure.clock.advance(2000)
}

test('with the policy Deallocate an evicted machine is deallocated, and all is well as Azure sees it', async () => {
  await using azure = await startAzure()
  await running(azure, 'Deallocate')
  azure.simulator.control.interrupt('m1')
  expect(await states(azure)).toEqual(['succeeded', 'deallocating'])
  await azure.clock.advance(1000)
  expect(await states(azure)).toEqual(['succeeded', 'deallocated'])
  expect(azure.simulator.control.remains()).toMatchObject({ interfaces: ['m1-nic'], disks: ['m1_OSDisk'] })
})

test.each([
  ['stays', 'Detach', ['m1-nic']],
  ['goes where its delete option says so', 'Delete', []],
])('with the policy Delete machine and disks are gone; the interface %s', async (_, deleteOption, interfaces) => {
  await using azure = await startAzure()
  await running(azure, 'Delete', deleteOption)
  azure.simulator.control.interrupt('m1')
  expect((await azure.look('m1')).provisioningState).toBe('Deleting')
  await azure.clock.advance(2000)
  expect(await refusalOf(azure.look('m1'))).toMatchObject({ code: 'ResourceNotFound', status: 404 })
  expect(azure.simulator.control.remains()).toEqual({ instances: [], interfaces, disks: [], addresses: [] })
})

test('an eviction can be simulated by the API, after the notice that was set', async () => {
  await using azure = await startAzure({ noticeMs: 30_000 })
  await running(azure, 'Deallocate')
  await azure.compute.virtualMachines.simulateEviction(azure.group, 'm1')
  expect(await states(azure)).toEqual(['succeeded', 'running'])
  await azure.clock.advance(31_000)
  expect(await states(azure)).toEqual(['succeeded', 'deallocated'])
})

test('an eviction of what is not spot cannot be simulated', async () => {
  await using azure = await startAzure()
  await azure.launchRunning('m1', {
    priority: 'Regular',
    evictionPolicy: undefined,
    billingProfile: undefined,
  } as never)
  expect(await refusalOf(azure.compute.virtualMachines.simulateEviction(azure.group, 'm1'))).toMatchObject({
    code: 'OperationNotAllowed',
    status: 409,
  })
  expect(powerOf(await azure.look('m1'))).toBe('running')
})

test.each([
  ['stop', 'stopped'],
  ['deallocate', 'deallocated'],
] as const)('a machine with the policy Delete may be found after a %s, and stays', async (end, power) => {
  await using azure = await startAzure()
  await running(azure, 'Delete')
  azure.simulator.control[end]('m1')
  await azure.clock.advance(60_000)
  expect(await states(azure)).toEqual(['succeeded', power])
  expect(azure.simulator.control.remains()).toMatchObject({ instances: ['m1'], disks: ['m1_OSDisk'] })
})
