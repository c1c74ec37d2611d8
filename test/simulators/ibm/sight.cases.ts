import { expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture } from './fixture.ts'

/** The statuses of the instances that a list shows. */
async function statuses(ibm: IbmFixture, qs: object = {}): Promise<unknown[]> {
  return (await ibm.client.list('instances', qs)).map(({ status }) => status)
}

test('a created instance is seen late in lists, by its name too; by its id it is there, and its name is taken', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.invisible({ create: 3000 })
  const id = await ibm.launchOne({ name: 'late' })
  await ibm.clock.advance(2999)
  expect([await statuses(ibm), await statuses(ibm, { name: 'late' })]).toEqual([[], []])
  expect((await ibm.look(id))['status']).toBe('running')
  expect(await refusalOf(ibm.launch({ name: 'late' }))).toMatchObject({ code: 'validation_unique_failed' })
  await ibm.clock.advance(1)
  expect(await statuses(ibm, { name: 'late' })).toEqual(['running'])
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

test('an end is seen late, status by status, until the list forgets it', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.invisible({ delete: 5000 })
  const id = await ibm.launchOne()
  expect(await statuses(ibm)).toEqual(['pending'])
  await ibm.clock.advance(10_000)
  await ibm.client.call('DELETE', `/instances/${id}`)
  const seen: unknown[] = []
  for (const wait of [0, 4999, 1, 999, 1]) {
    await ibm.clock.advance(wait)
    seen.push((await statuses(ibm))[0] ?? 'nothing')
  }
  expect(seen).toEqual(['running', 'running', 'deleting', 'deleting', 'nothing'])
  await expect(ibm.look(id)).rejects.toMatchObject({ status: 404 })
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

/** What is seen of one instance in the quarter of a minute after its creation, by two lists a second. */
async function sightings(seed: number): Promise<unknown[]> {
  await using ibm = await startIbm({ lag: { minMs: 0, maxMs: 10_000, seed } })
  await ibm.launchOne()
  const seen: unknown[] = []
  for (let list = 0; list < 30; list++) {
    const [status = 'nothing'] = await statuses(ibm)
    seen.push(status)
    await ibm.clock.advance(500)
  }
  return seen
}

test('with a lag each list shows a past moment of its own, the same ones for the same seed', async () => {
  const [first, again, other] = [await sightings(7), await sightings(7), await sightings(8)]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  // What was seen is not seen for sure in the next list.
  const firstSeen = first.findIndex((status) => status !== 'nothing')
  expect(first.slice(firstSeen)).toContain('nothing')
  // Two seconds to boot and ten of lag: from then on every list is right.
  expect(new Set(first.slice(24))).toEqual(new Set(['running']))
})

test('over HTTP, and back to now', async () => {
  await using ibm = await startIbm()
  await ibm.control('invisible', { create: '3s' })
  await ibm.control('lag', { min: '1s', max: '2s', seed: 3 })
  await ibm.launchOne()
  await ibm.clock.advance(3999)
  expect(await statuses(ibm)).toEqual([])
  await ibm.clock.advance(1001)
  expect(await statuses(ibm)).toEqual(['running'])
  await ibm.control('invisible', {})
  await ibm.control('lag', { min: '0' })
  await ibm.launchOne()
  expect(await statuses(ibm)).toEqual(['running', 'pending'])
})
