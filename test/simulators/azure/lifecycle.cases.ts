import { expect, test } from 'vitest'
import { powerOf, provisioningOf, refusalOf, startAzure, usualMachine, type AzureFixture } from './fixture.ts'

async function states(azure: AzureFixture, name = 'm1'): Promise<[string | undefined, string | undefined]> {
  const machine = await azure.look(name)
  return [provisioningOf(machine), powerOf(machine)]
}

test('a machine is creating, passes for stopped on its way up, then runs', async () => {
  await using azure = await startAzure({ bootMs: 3000 })
  await azure.launch('m1')
  const seen = [await states(azure)]
  for (let third = 0; third < 3; third++) {
    await azure.clock.advance(1000)
    seen.push(await states(azure))
  }
  expect(seen).toEqual([
    ['creating', undefined],
    ['creating', 'stopped'],
    ['creating', 'starting'],
    ['succeeded', 'running'],
  ])
})

test("the vendor's client follows a creation to its end", async () => {
  await using azure = await startAzure()
  const nic = await azure.makeInterface('n1')
  const machine = usualMachine(azure.simulator.facts, 'm1', nic)
  const poller = azure.compute.virtualMachines.createOrUpdate(azure.group, 'm1', machine, { updateIntervalInMs: 5 })
  await poller.submitted()
  await azure.clock.advance(2000)
  expect(await poller.pollUntilDone()).toMatchObject({ name: 'm1', provisioningState: 'Succeeded' })
})

test('a refusal after the fact leaves the machine, failed, with the reason, its interface and its disk', async () => {
  await using azure = await startAzure()
  azure.simulator.control.failNextLaunch('AllocationFailed', 1, 'Allocation failed.')
  const nic = await azure.makeInterface('n1')
  const machine = usualMachine(azure.simulator.facts, 'm1', nic)
  const poller = azure.compute.virtualMachines.createOrUpdate(azure.group, 'm1', machine, { updateIntervalInMs: 5 })
  await poller.submitted()
  expect(await states(azure)).toEqual(['creating', undefined])
  await azure.clock.advance(2000)
  await expect(poller.pollUntilDone()).rejects.toThrow(/failed.*AllocationFailed.*Allocation failed\./)
  const failed = await azure.look('m1')
  expect(failed.provisioningState).toBe('Failed')
  expect(failed.instanceView?.statuses).toMatchObject([
    {
      code: 'ProvisioningState/failed/AllocationFailed',
      level: 'Error',
      displayStatus: 'Provisioning failed',
      message: 'Allocation failed.',
    },
  ])
  expect(azure.simulator.control.remains()).toMatchObject({
    instances: ['m1'],
    interfaces: ['n1'],
    disks: ['m1_OSDisk'],
  })
})

test('what failed can be tried again by the same PUT', async () => {
  await using azure = await startAzure()
  azure.simulator.control.failNextLaunch('AllocationFailed')
  const id = await azure.launchRunning('m1')
  const nic = await azure.makeInterface('m1-nic')
  await azure.put('m1', usualMachine(azure.simulator.facts, 'm1', nic))
  await azure.clock.advance(2000)
  expect(await states(azure)).toEqual(['succeeded', 'running'])
  expect((await azure.look('m1')).vmId).toBe(id)
})

test.each([
  ['powerOff', 'stopping', 'stopped'],
  ['deallocate', 'deallocating', 'deallocated'],
] as const)('%s: %s, then %s, and a start brings it back', async (verb, going, gone) => {
  await using azure = await startAzure()
  await azure.launchRunning('m1')
  await azure.compute.virtualMachines[verb](azure.group, 'm1').submitted()
  expect(await states(azure)).toEqual(['updating', going])
  await azure.clock.advance(1000)
  expect(await states(azure)).toEqual(['succeeded', gone])
  await azure.compute.virtualMachines.start(azure.group, 'm1').submitted()
  expect(await states(azure)).toEqual(['updating', 'starting'])
  await azure.clock.advance(2000)
  expect(await states(azure)).toEqual(['succeeded', 'running'])
})

test('a restart ends where it began', async () => {
  await using azure = await startAzure()
  await azure.launchRunning('m1')
  await azure.compute.virtualMachines.restart(azure.group, 'm1').submitted()
  expect(await states(azure)).toEqual(['updating', 'starting'])
  await azure.clock.advance(2000)
  expect(await states(azure)).toEqual(['succeeded', 'running'])
})

test('a deallocated machine is not started where there is no capacity', async () => {
  await using azure = await startAzure()
  const { control } = azure.simulator
  await azure.launchRunning('m1')
  control.deallocate('m1')
  await azure.clock.advance(1000)
  control.noCapacity({ code: 'ZonalAllocationFailed' })
  await azure.compute.virtualMachines.start(azure.group, 'm1').submitted()
  await azure.clock.advance(2000)
  expect(await states(azure)).toEqual(['failed/ZonalAllocationFailed', 'deallocated'])
})

test('a guest that shuts down: stopped, and no update that Azure would speak of', async () => {
  await using azure = await startAzure()
  const id = await azure.launchRunning('m1')
  azure.simulator.control.stop(id)
  expect(await states(azure)).toEqual(['succeeded', 'stopping'])
  await azure.clock.advance(1000)
  expect(await states(azure)).toEqual(['succeeded', 'stopped'])
})

test('an operation that another one overtakes has failed', async () => {
  await using azure = await startAzure()
  const nic = await azure.makeInterface('n1')
  const machine = usualMachine(azure.simulator.facts, 'm1', nic)
  const creation = azure.compute.virtualMachines.createOrUpdate(azure.group, 'm1', machine, { updateIntervalInMs: 5 })
  await creation.submitted()
  await azure.compute.virtualMachines.delete(azure.group, 'm1', { forceDeletion: true }).submitted()
  await expect(creation.pollUntilDone()).rejects.toThrow('OperationPreempted')
})

test('of a machine that is being deleted nothing else can be asked', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  await azure.compute.virtualMachines.delete(azure.group, 'm1').submitted()
  const { virtualMachines } = azure.compute
  expect(await refusalOf(virtualMachines.start(azure.group, 'm1').submitted())).toMatchObject({
    code: 'OperationNotAllowed',
    status: 409,
  })
  const machine = usualMachine(azure.simulator.facts, 'm1', await azure.makeInterface('m1-nic'))
  expect(await refusalOf(azure.put('m1', machine))).toMatchObject({ code: 'Conflict', status: 409 })
})
