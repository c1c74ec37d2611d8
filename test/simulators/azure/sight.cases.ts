import { expect, test } from 'vitest'
import { all, refusalOf, startAzure } from './fixture.ts'

test('a machine, its interface and its disk are in lists late; under their names they are at once', async () => {
  await using azure = await startAzure()
  azure.simulator.control.invisible({ create: 3000 })
  await azure.launch('m1')
  const lists = async () => [
    (await all(azure.compute.virtualMachines.listAll({ statusOnly: 'true' }))).length,
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
