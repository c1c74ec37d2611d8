import { expect, test } from 'vitest'
import { all, powerOf, refusalOf, startAzure, usualMachine, type AzureFixture } from './fixture.ts'

async function launchMany(azure: AzureFixture, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, at) => `m${at + 1}`)
  for (const name of names) await azure.launch(name)
  return names
}

const statusOnly = { statusOnly: 'true' }

test('the list of states has all machines of the subscription, with their states and nothing that is not promised', async () => {
  await using azure = await startAzure()
  await azure.launchRunning('m1')
  const path = `/subscriptions/${azure.simulator.facts.subscription}/providers/Microsoft.Compute/virtualMachines`
  const { json } = await azure.raw('GET', `${path}?statusOnly=true`)
  const { value } = json as { value: { properties: object }[] }
  expect(value.map((one) => [Object.keys(one), Object.keys(one.properties)])).toEqual([
    [
      ['name', 'id', 'type', 'location', 'properties'],
      ['provisioningState', 'instanceView'],
    ],
  ])
  const [machine] = await all(azure.compute.virtualMachines.listAll(statusOnly))
  expect(machine?.instanceView?.statuses?.map(({ code }) => code)).toEqual([
    'ProvisioningState/succeeded',
    'PowerState/running',
  ])
})

test('it can be made to say all that it might say', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  await azure.control('status-list', { detail: 'full' })
  expect(await all(azure.compute.virtualMachines.listAll(statusOnly))).toMatchObject([
    {
      name: 'm1',
      tags: { Name: 'm1' },
      priority: 'Spot',
      instanceView: { statuses: [{ code: 'ProvisioningState/creating' }] },
    },
  ])
})

test('now and then a power state is missing, the same ones for the same seed', async () => {
  const seen = async (seed: number) => {
    await using azure = await startAzure()
    await launchMany(azure, 20)
    await azure.clock.advance(2000)
    await azure.control('miss-power', { rate: 0.5, seed })
    return (await all(azure.compute.virtualMachines.listAll(statusOnly))).map(powerOf)
  }
  const [first, again, other] = [await seen(1), await seen(1), await seen(2)]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(new Set(first)).toEqual(new Set(['running', undefined]))
})

test.each([
  ['of the subscription', (azure: AzureFixture) => azure.compute.virtualMachines.listAll()],
  ['of the group', (azure: AzureFixture) => azure.compute.virtualMachines.list(azure.group)],
  ['of the location', (azure: AzureFixture) => azure.compute.virtualMachines.listByLocation('westus2')],
])('the list %s says everything but the states', async (_, list) => {
  await using azure = await startAzure()
  await azure.launchRunning('m1')
  const [machine] = await all(list(azure))
  expect(machine).toMatchObject({
    name: 'm1',
    tags: { Name: 'm1' },
    priority: 'Spot',
    provisioningState: 'Succeeded',
    vmId: expect.any(String) as string,
    networkProfile: { networkInterfaces: [{ deleteOption: 'Delete' }] },
  })
  expect(machine?.instanceView).toBeUndefined()
})

test('lists of the subscription spell groups in capitals', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const ids = async (list: AsyncIterable<{ id?: string }>) => (await all(list)).map(({ id }) => id?.split('/')[4])
  expect(await ids(azure.compute.virtualMachines.listAll(statusOnly))).toEqual(['SPOT-WORKERS'])
  expect(await ids(azure.compute.virtualMachines.list(azure.group))).toEqual(['Spot-Workers'])
})

test('a list of one group or place has none of the others', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  const nic = await azure.makeInterface('n2')
  const machine = usualMachine(azure.simulator.facts, 'm2', nic)
  await azure.compute.virtualMachines.createOrUpdate('somebody-elses', 'm2', machine).submitted()
  const names = async (list: AsyncIterable<{ name?: string }>) => (await all(list)).map(({ name }) => name)
  expect(await names(azure.compute.virtualMachines.list('SPOT-WORKERS'))).toEqual(['m1'])
  expect(await names(azure.compute.virtualMachines.listAll())).toEqual(['m1', 'm2'])
  expect(await names(azure.compute.virtualMachines.listByLocation('eastus'))).toEqual([])
  expect(await refusalOf(names(azure.compute.virtualMachines.list('nowhere')))).toMatchObject({
    code: 'ResourceGroupNotFound',
  })
})

test('lists come in pages, with links that are followed as they are', async () => {
  await using azure = await startAzure({ pageSize: 3 })
  const names = await launchMany(azure, 7)
  const sizes: number[] = []
  const seen: (string | undefined)[] = []
  for await (const page of azure.compute.virtualMachines.listAll(statusOnly).byPage()) {
    sizes.push(page.length)
    seen.push(...page.map(({ name }) => name))
    expect(page.every(({ instanceView }) => instanceView)).toBe(true)
  }
  expect([sizes, seen]).toEqual([[3, 3, 1], names])
})

test('a token of another list is refused', async () => {
  await using azure = await startAzure()
  const path = `/subscriptions/${azure.simulator.facts.subscription}/providers/Microsoft.Compute/virtualMachines`
  const { status, json } = await azure.raw('GET', `${path}?$skiptoken=abc`)
  expect([status, json]).toMatchObject([400, { error: { code: 'InvalidParameter', target: '$skiptoken' } }])
})
