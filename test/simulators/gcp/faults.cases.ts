import { expect, test } from 'vitest'
import { instancesPath, refusalOf, requestIdOf, startGce, type GceFixture } from './fixture.ts'

const cutOff = 'fetch failed'

/** The message with which a call ended; its failure may come before anybody waits for it. */
async function endOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'answered'
  } catch (error) {
    return (error as Error).message
  }
}

const made = (gce: GceFixture) => gce.simulator.control.instances().map(({ name }) => name)

test('a failure is played back as often as was said, to this call only, and the call is not done', async () => {
  await using gce = await startGce()
  gce.simulator.control.failNext('instances.insert', 2, { code: 'rateLimitExceeded', message: 'Slow down.' })
  await gce.done('GET', instancesPath)
  for (const call of [gce.insert(), gce.insert()]) {
    expect(await refusalOf(call)).toEqual({ code: 'rateLimitExceeded', status: 403, message: 'Slow down.' })
  }
  expect(made(gce)).toEqual([])
  await gce.inserted()
})

test.each([
  ['forbidden', 403],
  ['quotaExceeded', 403],
  ['notFound', 404],
  ['alreadyExists', 409],
  ['internalError', 500],
  ['backendError', 503],
  ['resourcePoolExhausted', 503],
  ['somethingNew', 400],
])('%s comes with %s', async (code, status) => {
  await using gce = await startGce()
  await gce.control('fail-next', { action: 'instances.insert', code })
  expect(await refusalOf(gce.insert())).toMatchObject({ code, status })
})

test('an outage refuses everything until it ends', async () => {
  await using gce = await startGce()
  const { control } = gce.simulator
  control.failNext('*', Infinity, { code: 'backendError', message: 'Backend Error' })
  for (const call of [gce.insert(), gce.call('GET', instancesPath), gce.insert()]) {
    expect(await refusalOf(call)).toMatchObject({ code: 'backendError', status: 503 })
  }
  control.clearFaults()
  await gce.inserted()
})

test('an answer that is lost was done all the same, and the same request finds it', async () => {
  await using gce = await startGce()
  gce.simulator.control.answerLostAfterCommit('instances.insert')
  expect(await endOf(gce.insert({}, requestIdOf(1)))).toBe(cutOff)
  expect(gce.simulator.requests).toMatchObject([{ action: 'instances.insert', answer: { status: 200 }, lost: true }])
  const { targetId } = await gce.inserted({}, requestIdOf(1))
  expect(gce.simulator.control.instances()).toMatchObject([{ id: targetId }])
})

test('held before: nothing is done until it is released', async () => {
  await using gce = await startGce()
  const hold = gce.simulator.control.hold('instances.insert', 'before')
  const insert = gce.inserted()
  expect((await hold.reached).action).toBe('instances.insert')
  expect(made(gce)).toEqual([])
  hold.release()
  await insert
  expect(made(gce)).toEqual(['worker'])
})

test('held before and dropped: the call was lost on its way', async () => {
  await using gce = await startGce()
  const hold = gce.simulator.control.hold('instances.insert', 'before')
  const ending = endOf(gce.insert())
  await hold.reached
  hold.drop()
  expect(await ending).toBe(cutOff)
  expect(made(gce)).toEqual([])
})

test('held after: it is done, and its caller does not know yet', async () => {
  await using gce = await startGce()
  const hold = gce.simulator.control.hold('instances.insert', 'after')
  let isAnswered = false
  const insert = gce.inserted().finally(() => (isAnswered = true))
  await hold.reached
  expect(made(gce)).toEqual(['worker'])
  expect(isAnswered).toBe(false)
  hold.release()
  await insert
})

test('over HTTP, for tests in another process', async () => {
  await using gce = await startGce()
  const { json } = await gce.control('hold', { action: 'instances.delete', when: 'after' })
  const { hold } = json as { hold: string }
  await gce.inserted()
  const reached = gce.control('reached', { hold })
  const remove = gce.done('DELETE', `${instancesPath}/worker`)
  expect((await reached).json).toMatchObject({ action: 'instances.delete', answer: { status: 200 } })
  await gce.control('release', { hold })
  await remove
})
