import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { instancesPath, namesIn, refusalOf, requestIdOf, startGce, zone, type Message } from './fixture.ts'

const path = `zones/${zone}/operations`

test('all operations of a project in one list, by type, state, request and target', async () => {
  await using gce = await startGce()
  const insert = await gce.inserted({}, requestIdOf(1))
  await gce.insertRunning({ name: 'other' }, requestIdOf(2))
  const stop = await gce.done('POST', `${instancesPath}/worker/stop`)
  const found = async (filter: string) =>
    namesIn(await gce.done('GET', 'aggregated/operations', { query: { filter } }), 'operations')
  expect(await found('operationType=insert')).toHaveLength(2)
  expect(await found('operationType="stop"')).toEqual([stop.name])
  expect(await found('status != DONE')).toEqual([stop.name])
  expect(await found('status=DONE AND operationType=insert')).toHaveLength(2)
  expect(await found(`clientOperationId="${requestIdOf(1)}"`)).toEqual([insert.name])
  expect(await found(`targetId=${String(insert.targetId)}`)).toEqual([insert.name, stop.name])
  expect(await found('insertTime > "2026-01-01T00:00:01Z"')).toEqual([stop.name])
  expect(await found('error:*')).toEqual([])
})

test('an operation is found by its name and by its id, in its own zone', async () => {
  await using gce = await startGce()
  const { name, id } = await gce.inserted()
  expect(await gce.done('GET', `${path}/${String(name)}`)).toMatchObject({ id })
  expect(await gce.done('GET', `${path}/${String(id)}`)).toMatchObject({ name })
  const elsewhere = gce.call('GET', `zones/us-central1-b/operations/${String(name)}`)
  expect(await refusalOf(elsewhere)).toMatchObject({ code: 'notFound', status: 404 })
})

test('the newest operations first', async () => {
  await using gce = await startGce()
  await gce.insertRunning()
  await gce.done('POST', `${instancesPath}/worker/stop`)
  const { items } = await gce.done('GET', path, { query: { orderBy: 'creationTimestamp desc', maxResults: '1' } })
  expect((items as Message[]).map(({ operationType }) => operationType)).toEqual(['stop'])
})

test('a wait is answered when the operation ends', async () => {
  await using gce = await startGce()
  const { name } = await gce.inserted()
  let isOver = false
  const wait = gce.done('POST', `${path}/${String(name)}/wait`).finally(() => (isOver = true))
  await until(() => gce.clock.pending === 2, 'the wait')
  await gce.clock.advance(1999)
  expect(isOver).toBe(false)
  await gce.clock.advance(1)
  expect((await wait).status).toBe('DONE')
  expect(gce.clock.pending).toBe(0)
})

test('a wait is answered after two minutes at the latest, and at once when there is nothing to wait for', async () => {
  await using gce = await startGce({ bootMs: 600_000 })
  const { name } = await gce.inserted()
  const wait = gce.done('POST', `${path}/${String(name)}/wait`)
  await until(() => gce.clock.pending === 2, 'the wait')
  await gce.clock.advance(120_000)
  expect((await wait).status).toBe('RUNNING')
  await gce.clock.advance(480_000)
  expect((await gce.done('POST', `${path}/${String(name)}/wait`)).status).toBe('DONE')
  expect(await refusalOf(gce.call('POST', `${path}/operation-gone/wait`))).toMatchObject({ code: 'notFound' })
})

test('a wait ends with the simulator', async () => {
  const gce = await startGce()
  const { name } = await gce.inserted()
  const wait = gce.done('POST', `${path}/${String(name)}/wait`).then(
    () => 'answered',
    () => 'cut off',
  )
  await until(() => gce.clock.pending === 2, 'the wait')
  await gce[Symbol.asyncDispose]()
  expect(['answered', 'cut off']).toContain(await wait)
  expect(gce.clock.pending).toBe(0)
})

test('operations have pages as well', async () => {
  await using gce = await startGce()
  for (let at = 0; at < 12; at++) await gce.inserted({ name: `w${at}` })
  gce.simulator.control.spoilNext('globalOperations.aggregatedList', 'short-page')
  const first = await gce.done('GET', 'aggregated/operations', { query: { maxResults: '8' } })
  expect(namesIn(first, 'operations')).toHaveLength(4)
  const query = { pageToken: first.nextPageToken ?? '' }
  expect(namesIn(await gce.done('GET', 'aggregated/operations', { query }), 'operations')).toHaveLength(8)
  expect((await gce.done('GET', instancesPath)).nextPageToken).toBeUndefined()
})
