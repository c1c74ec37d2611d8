import { expect, test } from 'vitest'
import { instancesPath, namesIn, refusalOf, startGce } from './fixture.ts'

test('the name of an instance that no list shows yet is taken all the same, and its operation is known', async () => {
  await using gce = await startGce()
  gce.simulator.control.invisible(60_000)
  const { name } = await gce.inserted()
  expect(await refusalOf(gce.insert())).toMatchObject({ code: 'alreadyExists' })
  expect((await gce.operation(name)).status).toBe('RUNNING')
})

test('both lists are late; a get, by the name, is late with what is invisible and not with the lists', async () => {
  await using gce = await startGce({ lag: { minMs: 60_000, maxMs: 60_000 } })
  await gce.inserted()
  const { items } = await gce.done('GET', instancesPath)
  expect([items, namesIn(await gce.done('GET', 'aggregated/instances'))]).toEqual([undefined, []])
  expect((await gce.look('worker'))?.status).toBe('PROVISIONING')
  gce.simulator.control.invisible({ create: 3000 })
  expect(await gce.look('worker')).toBeUndefined()
})
