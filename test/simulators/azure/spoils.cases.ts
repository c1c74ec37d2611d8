import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import type { WireSpoil } from '../kit/spoils.ts'
import { startAzure, type AzureFixture } from './fixture.ts'

const action = 'VirtualMachines_ListAll'

async function pages(azure: AzureFixture, most = Infinity): Promise<(string | undefined)[][]> {
  const seen: (string | undefined)[][] = []
  for await (const page of azure.compute.virtualMachines.listAll({ statusOnly: 'true' }).byPage()) {
    seen.push(page.map(({ name }) => name))
    if (seen.length >= most) break
  }
  return seen
}

async function launchSeven(azure: AzureFixture): Promise<string[]> {
  const names = Array.from({ length: 7 }, (_, at) => `m${at + 1}`)
  for (const name of names) await azure.launch(name)
  return names
}

test.each([
  ['an empty page', 'empty-page', [0, 3, 3, 1]],
  ['a page of half the size', 'short-page', [1, 3, 3]],
  ['a page of twice the size', 'long-page', [6, 1]],
] as const)('%s: whoever follows the links sees everything once all the same', async (_, how, sizes) => {
  await using azure = await startAzure({ pageSize: 3 })
  const names = await launchSeven(azure)
  azure.simulator.control.spoilNext(action, how)
  const seen = await pages(azure)
  expect(seen.map(({ length }) => length)).toEqual(sizes)
  expect(seen.flat()).toEqual(names)
})

test('a link that repeats itself leads to the same page again', async () => {
  await using azure = await startAzure({ pageSize: 3 })
  await launchSeven(azure)
  azure.simulator.control.spoilNext(action, 'repeated-token', 2)
  expect(await pages(azure, 3)).toEqual([
    ['m1', 'm2', 'm3'],
    ['m1', 'm2', 'm3'],
    ['m1', 'm2', 'm3'],
  ])
})

test('the last page of several never comes; a list of one page is left alone', async () => {
  await using azure = await startAzure({ pageSize: 3 })
  await launchSeven(azure)
  azure.simulator.control.spoilNext(action, 'lost-page')
  await expect(pages(azure)).rejects.toThrow(/socket hang up|ECONNRESET/)
  expect(azure.simulator.requests.filter((one) => one.action === action).map(({ lost }) => lost)).toEqual([
    false,
    false,
    true,
  ])
})

test.each<WireSpoil>(['cut-body', 'half-body', 'garbage', 'proxy-page'])(
  '%s is an error to the client, though the call was done',
  async (how) => {
    await using azure = await startAzure()
    azure.simulator.control.spoilNext('VirtualMachines_CreateOrUpdate', how)
    await expect(azure.launch('m1')).rejects.toThrow()
    expect(azure.simulator.control.instances()).toMatchObject([{ name: 'm1' }])
  },
)

test('a document of another kind is a list in which nothing stands', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  azure.simulator.control.spoilNext(action, 'foreign-document')
  const { status, json } = await azure.raw(
    'GET',
    `/subscriptions/${azure.simulator.facts.subscription}/providers/Microsoft.Compute/virtualMachines`,
  )
  expect([status, json]).toEqual([200, { status: 'ok' }])
})

test('a call that hangs is done and not answered, until the faults are cleared', async () => {
  await using azure = await startAzure()
  await azure.control('spoil-next', { action: 'NetworkInterfaces_CreateOrUpdate', how: 'hang' })
  const ending = azure.makeInterface('n1').then(
    () => 'answered',
    (error: Error) => error.message,
  )
  await until(() => azure.simulator.requests[0]?.lost === true, 'the call to hang')
  expect(azure.simulator.control.remains().interfaces).toEqual(['n1'])
  await azure.control('clear-faults', {})
  expect(await ending).toMatch(/socket hang up|ECONNRESET/)
})
