import { expect, test } from 'vitest'
import { refusalOf, startIbm } from './fixture.ts'

test('a created instance is seen late by its name, too', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.invisible({ create: 3000 })
  const id = await ibm.launchOne({ name: 'late' })
  await ibm.clock.advance(2999)
  expect(await ibm.client.list('instances', { name: 'late' })).toEqual([])
  await ibm.clock.advance(1)
  expect(await ibm.client.list('instances', { name: 'late' })).toMatchObject([{ id, status: 'running' }])
})

test('calls by its id may be as late', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.invisible({ create: 3000, writes: true })
  const id = await ibm.launchOne()
  const calls = [
    ibm.look(id),
    ibm.client.call('DELETE', `/instances/${id}`),
    ibm.client.call('PATCH', `/instances/${id}`, { body: { name: 'other' } }),
    ibm.client.call('POST', `/instances/${id}/actions`, { body: { type: 'stop' } }),
  ]
  for (const call of calls) expect(await refusalOf(call)).toMatchObject({ status: 404, code: 'not_found' })
  await ibm.clock.advance(3000)
  await ibm.client.call('DELETE', `/instances/${id}`)
})

test('a list that is late shows an instance with all that it had, also when that is gone', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  await ibm.clock.advance(10_000)
  ibm.simulator.control.invisible({ delete: 5000 })
  ibm.simulator.control.vanish(id)
  expect(await ibm.client.list('instances')).toMatchObject([
    { id, status: 'running', primary_network_interface: { primary_ip: { address: '10.240.0.4' } } },
  ])
})
