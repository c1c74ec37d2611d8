import { expect, test } from 'vitest'
import { all, powerOf, refusalOf, startAzure, type AzureFixture } from './fixture.ts'

async function powers(azure: AzureFixture): Promise<(string | undefined)[]> {
  return (await all(azure.compute.virtualMachines.listAll({ statusOnly: 'true' }))).map(powerOf)
}

test('a machine, its interface and its disk are in lists late; under their names they are at once', async () => {
  await using azure = await startAzure()
  azure.simulator.control.invisible({ create: 3000 })
  await azure.launch('m1')
  const lists = async () => [
    (await powers(azure)).length,
    (await all(azure.compute.virtualMachines.list(azure.group))).length,
    (await all(azure.network.networkInterfaces.list(azure.group))).length,
    (await all(azure.compute.disks.list())).length,
  ]
  await azure.clock.advance(2999)
  expect(await lists()).toEqual([0, 0, 0, 0])
  expect((await azure.look('m1')).provisioningState).toBe('Succeeded')
  await azure.clock.advance(1)
  expect(await lists()).toEqual([1, 1, 1, 1])
})

test('under their names, too, where that is wanted', async () => {
  await using azure = await startAzure()
  const nic = await azure.makeInterface('n1')
  await azure.clock.advance(3000)
  azure.simulator.control.invisible({ create: 3000, gets: true })
  await azure.makeInterface('n2')
  expect((await azure.network.networkInterfaces.get(azure.group, 'n1')).id).toBe(nic)
  expect(await refusalOf(azure.network.networkInterfaces.get(azure.group, 'n2'))).toMatchObject({ status: 404 })
  await azure.clock.advance(3000)
  await azure.network.networkInterfaces.get(azure.group, 'n2')
})

test('a name that no list shows yet is taken all the same', async () => {
  await using azure = await startAzure()
  azure.simulator.control.invisible(60_000)
  await azure.launch('m1')
  await azure.makeInterface('m1-nic')
  expect(await refusalOf(azure.put('m1', await azure.look('m1'), '*'))).toMatchObject({ status: 412 })
})

test('an end is seen late, state by state; a creation is not', async () => {
  await using azure = await startAzure()
  azure.simulator.control.invisible({ delete: 5000 })
  await azure.launch('m1')
  expect(await powers(azure)).toEqual([undefined])
  await azure.clock.advance(10_000)
  azure.simulator.control.interrupt('m1')
  const seen: unknown[] = []
  for (const wait of [0, 4999, 1, 999, 1]) {
    await azure.clock.advance(wait)
    seen.push(...(await powers(azure)))
  }
  expect(seen).toEqual(['running', 'running', 'deallocating', 'deallocating', 'deallocated'])
})

test('what is gone is still in lists for a while', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  await azure.clock.advance(10_000)
  azure.simulator.control.invisible({ delete: 5000 })
  azure.simulator.control.vanish('m1')
  expect(await refusalOf(azure.look('m1'))).toMatchObject({ status: 404 })
  await azure.clock.advance(4999)
  expect(await powers(azure)).toEqual(['running'])
  await azure.clock.advance(1)
  expect(await powers(azure)).toEqual([])
})

test('tags are seen late, those of the creation too', async () => {
  await using azure = await startAzure()
  azure.simulator.control.invisible({ tags: 4000 })
  const tags = async () => (await all(azure.compute.virtualMachines.list(azure.group))).map((one) => one.tags)
  await azure.launch('m1')
  expect(await tags()).toEqual([undefined])
  await azure.clock.advance(4000)
  await azure.compute.virtualMachines.update(azure.group, 'm1', { tags: { late: '1' } }).submitted()
  await azure.clock.advance(3999)
  expect(await tags()).toEqual([{ Name: 'm1' }])
  await azure.clock.advance(1)
  expect(await tags()).toEqual([{ late: '1' }])
})

/** What is seen of one machine in the quarter of a minute after its creation, by two lists a second. */
async function sightings(seed: number): Promise<unknown[]> {
  await using azure = await startAzure({ lag: { minMs: 0, maxMs: 10_000, seed }, bootMs: 0 })
  await azure.launch('m1')
  const seen: unknown[] = []
  for (let list = 0; list < 30; list++) {
    seen.push((await powers(azure)).length)
    await azure.clock.advance(500)
  }
  return seen
}

test('with a lag each list shows a past moment of its own, the same ones for the same seed', async () => {
  const [first, again, other] = [await sightings(7), await sightings(7), await sightings(8)]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  // What was seen is not seen for sure in the next list.
  expect(first.slice(first.indexOf(1))).toContain(0)
  expect(new Set(first.slice(20))).toEqual(new Set([1]))
})

test('over HTTP, and back to now', async () => {
  await using azure = await startAzure()
  await azure.control('invisible', { create: '3s' })
  await azure.control('lag', { min: '1s', max: '2s', seed: 3 })
  await azure.launch('m1')
  await azure.clock.advance(3999)
  expect(await powers(azure)).toEqual([])
  await azure.clock.advance(1001)
  expect(await powers(azure)).toEqual(['running'])
  await azure.control('invisible', {})
  await azure.control('lag', { min: '0' })
  await azure.launch('m2')
  expect(await powers(azure)).toEqual(['running', undefined])
})
