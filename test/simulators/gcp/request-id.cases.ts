import { expect, test } from 'vitest'
import { instancesPath, refusalOf, requestIdOf, startGce, zone } from './fixture.ts'

const id = requestIdOf(1)

test('the same request is answered with the same operation, as it is by now, and made once', async () => {
  await using gce = await startGce()
  const first = await gce.inserted({}, id)
  const again = await gce.inserted({}, id)
  expect(again).toEqual(first)
  expect(first).toMatchObject({ clientOperationId: id, status: 'RUNNING', operationType: 'insert' })
  await gce.clock.advance(2000)
  expect(await gce.inserted({}, id)).toMatchObject({ name: first.name, targetId: first.targetId, status: 'DONE' })
  expect(gce.simulator.control.instances()).toMatchObject([{ id: first.targetId, clientToken: id }])
})

test('a hundred at once make one instance', async () => {
  await using gce = await startGce()
  const answers = await Promise.all(Array.from({ length: 100 }, () => gce.inserted({}, id)))
  expect(new Set(answers.map(({ name }) => name)).size).toBe(1)
  expect(gce.simulator.control.instances()).toHaveLength(1)
})

test('the request counts, not what it says: another body changes nothing', async () => {
  await using gce = await startGce()
  const first = await gce.inserted({}, id)
  expect(await gce.inserted({ name: 'other' }, id.toUpperCase())).toEqual(first)
  expect(gce.simulator.control.instances().map(({ name }) => name)).toEqual(['worker'])
})

test('a request that failed has failed: only another one is tried', async () => {
  await using gce = await startGce()
  gce.simulator.control.noCapacity()
  await gce.insertRunning({}, id)
  gce.simulator.control.capacityBack()
  const again = await gce.inserted({}, id)
  expect(again.error?.errors[0]?.code).toBe('ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS')
  expect(gce.simulator.control.instances()).toEqual([])
  await gce.inserted({}, requestIdOf(2))
  expect(gce.simulator.control.instances()).toHaveLength(1)
})

test('a request that was refused at once was none', async () => {
  await using gce = await startGce()
  await refusalOf(gce.insert({ name: 'Worker' }, id))
  await gce.inserted({}, id)
  expect(gce.simulator.control.instances().map(({ name }) => name)).toEqual(['worker'])
})

test('an instance that is gone stays gone, whoever repeats its insert', async () => {
  await using gce = await startGce()
  const first = await gce.insertRunning({}, id)
  gce.simulator.control.vanish('worker')
  expect(await gce.inserted({}, id)).toMatchObject({ name: first.name, status: 'DONE' })
  expect(await gce.look('worker')).toBeUndefined()
})

test('a delete is repeated too, and is answered when nothing is left to delete', async () => {
  await using gce = await startGce()
  await gce.inserted({}, id)
  const remove = () => gce.done('DELETE', `${instancesPath}/worker`, { query: { requestId: requestIdOf(2) } })
  const first = await remove()
  await gce.clock.advance(1000)
  expect(await remove()).toMatchObject({ name: first.name, status: 'DONE' })
  expect(await refusalOf(gce.call('DELETE', `${instancesPath}/worker`))).toMatchObject({ code: 'notFound' })
})

test('what one call used another call may use: they are no names', async () => {
  await using gce = await startGce()
  const inserted = await gce.inserted({}, id)
  const removed = await gce.done('DELETE', `${instancesPath}/worker`, { query: { requestId: id } })
  expect(removed.name).not.toBe(inserted.name)
  expect(removed.operationType).toBe('delete')
})

test('a day after its end an operation is forgotten, and so is its request', async () => {
  await using gce = await startGce()
  const { name } = await gce.inserted({}, id)
  gce.simulator.control.terminate('worker')
  await gce.clock.advance(25 * 3_600_000)
  expect((await gce.inserted({}, id)).name).not.toBe(name)
  expect(await refusalOf(gce.call('GET', `zones/${zone}/operations/${name}`))).toMatchObject({ code: 'notFound' })
})

test.each([
  ['', ''],
  ['a name', 'ns/worker#1'],
  ['nothing', '00000000-0000-0000-0000-000000000000'],
  ['too short', '1-2-3-4-5'],
])('a request id that is %s is refused', async (_, requestId) => {
  await using gce = await startGce()
  const message = `Invalid value for field 'requestId': '${requestId}'. Must be a valid UUID, and not the zero UUID.`
  expect(await refusalOf(gce.insert({}, requestId))).toEqual({ code: 'invalid', status: 400, message })
  expect(gce.simulator.control.instances()).toEqual([])
})
