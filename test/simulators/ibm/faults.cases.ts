import { expect, test } from 'vitest'
import { bearer, refusalOf, startIbm, usualLaunch, VpcClient, type IbmFixture } from './fixture.ts'

/** The message with which a call ended; its failure may come before anybody waits for it. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'no failure'
  } catch (error) {
    const { message, statusText } = error as Error & { statusText?: string }
    return `${statusText ?? ''} ${message}`
  }
}

const creates = (ibm: IbmFixture) => ibm.simulator.requests.filter(({ action }) => action === 'create_instance')

test('a failure is played back as often as was said, to this action only, and the call is not done', async () => {
  await using ibm = await startIbm()
  const failure = { code: 'internal_error', message: 'An internal error occurred.' }
  ibm.simulator.control.failNext('create_instance', 2, failure)
  await ibm.client.list('instances')
  for (let call = 0; call < 2; call++) expect(await refusalOf(ibm.launch())).toMatchObject({ status: 500, ...failure })
  expect(ibm.simulator.control.instances()).toEqual([])
  await ibm.launch()
})

test.each([
  ['over_quota', 400],
  ['rate_limit_exceeded', 429],
  ['not_authorized', 401],
  ['not_found', 404],
  ['invalid_state', 409],
  ['backend_service_unavailable', 503],
  ['internal_server_error', 500],
  ['something_new', 400],
])('%s has the status that IBM uses with it: %s', async (code, status) => {
  await using ibm = await startIbm()
  await ibm.control('fail-next', { action: 'list_instances', code })
  expect(await refusalOf(ibm.client.list('instances'))).toMatchObject({ status, code })
})

test('a refusal may come with another status', async () => {
  await using ibm = await startIbm()
  await ibm.control('fail-next', { action: 'create_instance', code: 'over_quota', status: 403 })
  expect(await refusalOf(ibm.launch())).toMatchObject({ status: 403, code: 'over_quota' })
})

test('IAM can fail as well, in its own words', async () => {
  await using ibm = await startIbm()
  await ibm.control('fail-next', { action: 'get_token', code: 'BXNIM0507E', status: 503, message: 'Overloaded.' })
  const answer = await ibm.raw('/identity/token', { method: 'POST' })
  expect(answer).toMatchObject({ status: 503, json: { errorCode: 'BXNIM0507E', errorMessage: 'Overloaded.' } })
})

test.each([
  ['a second, when nothing is said', undefined, '1'],
  ['longer than clients wait', '301', '301'],
  ['until a date', 'Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
])('too many calls: come again after %s', async (_, value, expected) => {
  await using ibm = await startIbm()
  if (value !== undefined) await ibm.control('retry-after', { value })
  ibm.simulator.control.failNext('list_vpcs', 1, { code: 'rate_limit_exceeded', message: 'Too many.' })
  const answer = await ibm.vpc('/vpcs')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, expected])
  ibm.simulator.control.failNext('list_vpcs', 1, { code: 'internal_error', message: 'No.' })
  expect((await ibm.vpc('/vpcs')).headers.get('retry-after')).toBeNull()
})

test('an outage refuses everything until it ends', async () => {
  await using ibm = await startIbm()
  const { control } = ibm.simulator
  await ibm.client.list('vpcs')
  control.failNext('*', Infinity, { code: 'backend_service_unavailable', message: 'Not now.' })
  for (const call of [ibm.launch(), ibm.client.list('instances'), ibm.look('0717_x')]) {
    expect(await refusalOf(call)).toMatchObject({ status: 503 })
  }
  control.clearFaults()
  await ibm.launch()
})

test('an answer that is lost was done all the same, and the name tells who did it', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.answerLostAfterCommit('create_instance')
  expect(await failureOf(ibm.launch({ name: 'lost' }))).toMatch(/ECONNRESET|socket hang up/)
  expect(creates(ibm)).toMatchObject([{ answer: { status: 201 }, lost: true }])
  expect(await refusalOf(ibm.launch({ name: 'lost' }))).toMatchObject({ code: 'validation_unique_failed' })
  expect(await ibm.client.list('instances', { name: 'lost' })).toHaveLength(1)
})

test('held before: nothing is done until it is released', async () => {
  await using ibm = await startIbm()
  const hold = ibm.simulator.control.hold('create_instance', 'before')
  const launch = ibm.launch()
  expect((await hold.reached).action).toBe('create_instance')
  expect(ibm.simulator.control.instances()).toEqual([])
  hold.release()
  await launch
  expect(ibm.simulator.control.instances()).toHaveLength(1)
})

test('held before and dropped: the call was lost on its way', async () => {
  await using ibm = await startIbm()
  const hold = ibm.simulator.control.hold('create_instance', 'before')
  const ending = failureOf(ibm.launch())
  await hold.reached
  hold.drop()
  expect(await ending).toMatch(/ECONNRESET|socket hang up/)
  expect(ibm.simulator.control.instances()).toEqual([])
  expect(creates(ibm)).toMatchObject([{ answer: undefined }])
})

test('held after: it is done, and its caller does not know yet', async () => {
  await using ibm = await startIbm()
  const hold = ibm.simulator.control.hold('create_instance', 'after')
  const launch = ibm.launch()
  let isAnswered = false
  void launch.then(() => (isAnswered = true))
  await hold.reached
  expect(ibm.simulator.control.instances()).toHaveLength(1)
  await ibm.client.list('instances')
  expect(isAnswered).toBe(false)
  hold.release()
  await launch
})

test('a caller that died while its call was held: the call is done all the same when it goes on', async () => {
  await using ibm = await startIbm()
  const headers = { authorization: await bearer(ibm.simulator), 'content-type': 'application/json' }
  const body = JSON.stringify({ ...usualLaunch(ibm.simulator), name: 'orphan' })
  const hold = ibm.simulator.control.hold('create_instance', 'before')
  const caller = new AbortController()
  const init = { method: 'POST', headers, body, signal: caller.signal }
  const death = failureOf(ibm.raw('/v1/instances?version=2026-08-04&generation=2', init))
  await hold.reached
  caller.abort()
  expect(await death).toContain('aborted')
  hold.release()
  await expect.poll(() => ibm.simulator.control.instances()).toHaveLength(1)
})

test("with its retries on, the vendor's client sends a create again after a server error, and after a lost answer", async () => {
  await using ibm = await startIbm()
  const client = new VpcClient(ibm.simulator)
  client.enableRetries({ maxRetries: 1, maxRetryInterval: 1 })
  ibm.simulator.control.failNext('create_instance', 1, { code: 'internal_error', message: 'No.' })
  const create = (name: string) => client.call('POST', '/instances', { body: { ...usualLaunch(ibm.simulator), name } })
  expect((await create('first')).status).toBe(201)
  ibm.simulator.control.answerLostAfterCommit('create_instance')
  expect(await refusalOf(create('second'))).toMatchObject({ code: 'validation_unique_failed' })
  expect(creates(ibm).map(({ answer, lost }) => [answer?.status, lost])).toEqual([
    [500, false],
    [201, false],
    [201, true],
    [400, false],
  ])
  expect(ibm.simulator.control.instances()).toHaveLength(2)
})
