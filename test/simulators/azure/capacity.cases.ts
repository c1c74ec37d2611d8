import { expect, test } from 'vitest'
import { refusalOf, startAzure, usualMachine, type AzureFixture } from './fixture.ts'

const notOnSpot = { priority: 'Regular', evictionPolicy: undefined, billingProfile: undefined } as never

/** What became of it when everything had time to come about. */
async function outcome(azure: AzureFixture, name: string): Promise<string | undefined> {
  await azure.clock.advance(2000)
  return (await azure.look(name)).instanceView?.statuses?.[0]?.code
}

test('to a spot machine a lack of capacity is said at once', async () => {
  await using azure = await startAzure()
  azure.simulator.control.noCapacity({ instanceType: 'Standard_D2s_v5' })
  expect(await refusalOf(azure.launch('m1'))).toEqual({
    code: 'SkuNotAvailable',
    status: 409,
    message:
      "The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: Standard_D2s_v5' is " +
      "currently not available in location 'westus2'. Please try another size or deploy to a different location or " +
      'different zone. See https://aka.ms/azureskunotavailable for details.',
  })
  await azure.launch('m2', { hardwareProfile: { vmSize: 'Standard_D2as_v5' } })
})

test('to another it turns out afterwards, in a zone and without one', async () => {
  await using azure = await startAzure()
  azure.simulator.control.noCapacity()
  await azure.launch('m1', notOnSpot)
  await azure.launch('m2', { ...(notOnSpot as object), zones: undefined } as never)
  expect(await outcome(azure, 'm1')).toBe('ProvisioningState/failed/ZonalAllocationFailed')
  expect(await outcome(azure, 'm2')).toBe('ProvisioningState/failed/AllocationFailed')
})

test.each([
  'AllocationFailed',
  'ZonalAllocationFailed',
  'OverconstrainedAllocationRequest',
  'OverconstrainedZonalAllocationRequest',
] as const)('%s can be what a spot machine is told afterwards', async (code) => {
  await using azure = await startAzure()
  await azure.control('no-capacity', { code, market: 'spot' })
  await azure.launch('m1')
  expect(await outcome(azure, 'm1')).toBe(`ProvisioningState/failed/${code}`)
  expect((await azure.look('m1')).instanceView?.statuses?.[0]?.message).toContain('Allocation failed.')
})

test('a refusal afterwards can have any code', async () => {
  await using azure = await startAzure()
  await azure.control('fail-next-launch', { code: 'VMStartTimedOut', message: 'It did not start.' })
  await azure.launch('m1')
  await azure.launch('m2')
  expect(await outcome(azure, 'm1')).toBe('ProvisioningState/failed/VMStartTimedOut')
  expect(await outcome(azure, 'm2')).toBe('ProvisioningState/succeeded')
})

test.each(['AllocationFailed', 'ZonalAllocationFailed', 'OverconstrainedZonalAllocationRequest'])(
  '%s can be said at once as well, and then there is no machine',
  async (code) => {
    await using azure = await startAzure()
    azure.simulator.control.failNext('VirtualMachines_CreateOrUpdate', 1, { code, message: 'Allocation failed.' })
    expect(await refusalOf(azure.launch('m1'))).toEqual({ code, status: 409, message: 'Allocation failed.' })
    expect(azure.simulator.control.remains()).toEqual({
      instances: [],
      interfaces: ['m1-nic'],
      disks: [],
      addresses: [],
    })
  },
)

test('and what is usually said at once can turn out afterwards', async () => {
  await using azure = await startAzure()
  azure.simulator.control.failNextLaunch('SkuNotAvailable')
  await azure.launch('m1')
  expect(await outcome(azure, 'm1')).toBe('ProvisioningState/failed/SkuNotAvailable')
})

test('a price of its own is compared with the market of now', async () => {
  await using azure = await startAzure()
  const billingProfile = { maxPrice: 0.05 }
  await azure.launch('m1', { billingProfile })
  azure.simulator.control.spotPrice('Standard_D2s_v5', 0.06)
  expect(await refusalOf(azure.launch('m2', { billingProfile }))).toMatchObject({
    code: 'SpotPriceGreaterThanProvidedMaxPrice',
    status: 409,
  })
  await azure.launch('m3', { billingProfile: { maxPrice: -1 } })
})

test('when the market rises above it, a machine is taken back; any price is never too high', async () => {
  await using azure = await startAzure()
  await azure.launch('m1', { billingProfile: { maxPrice: 0.05 } })
  await azure.launch('m2', { billingProfile: { maxPrice: 0.07 } })
  await azure.launchRunning('m3', { billingProfile: { maxPrice: -1 } })
  await azure.control('spot-price', { instanceType: 'Standard_D2s_v5', price: 0.06 })
  await azure.clock.advance(1000)
  const states = azure.simulator.control.instances().map(({ name, state }) => [name, state])
  expect(states).toEqual([
    ['m1', 'deallocated'],
    ['m2', 'running'],
    ['m3', 'running'],
  ])
})

test.each([
  ['lowPriorityCores', {}, 'approved LowPriorityCores quota'],
  ['cores', notOnSpot, 'approved Total Regional Cores quota'],
  ['standardDSv5Family', notOnSpot, 'approved standardDSv5Family Cores quota'],
])('the quota %s refuses what is above it, at once', async (name, over, words) => {
  await using azure = await startAzure()
  await azure.control('quota', { name, limit: 3 })
  await azure.launch('m1', over)
  const refusal = await refusalOf(azure.launch('m2', over))
  expect(refusal).toMatchObject({ code: 'OperationNotAllowed', status: 409 })
  expect(refusal.message).toContain(words)
  expect(refusal.message).toContain('Current Limit: 3, Current Usage: 2, Additional Required: 2')
})

test.each([
  ['lowPriorityCores', {}],
  ['standardDSv5Family', notOnSpot],
])('a subscription that has none of %s is told that its limit is 0', async (name, over) => {
  await using azure = await startAzure()
  azure.simulator.control.quota(name, 0)
  expect((await refusalOf(azure.launch('m1', over))).message).toContain('Current Limit: 0, Current Usage: 0,')
})

test('there is a limit to machines of all kinds, too', async () => {
  await using azure = await startAzure()
  azure.simulator.control.quota('virtualMachines', 1)
  await azure.launch('m1')
  const refusal = await refusalOf(azure.launch('m2', notOnSpot))
  expect(refusal).toMatchObject({ code: 'OperationNotAllowed', status: 409 })
  expect(refusal.message).toContain('Current Limit: 1, Current Usage: 1, Additional Required: 1')
})

test('a machine that was evicted and only deallocated still counts', async () => {
  await using azure = await startAzure()
  const { control, facts } = azure.simulator
  control.quota('lowPriorityCores', 2)
  await azure.launchRunning('m1')
  control.interrupt('m1')
  await azure.clock.advance(1000)
  const nic = await azure.makeInterface('n2')
  expect(await refusalOf(azure.put('m2', usualMachine(facts, 'm2', nic)))).toMatchObject({
    code: 'OperationNotAllowed',
  })
  control.terminate('m1')
  await azure.clock.advance(1000)
  await azure.put('m2', usualMachine(facts, 'm2', nic))
})
