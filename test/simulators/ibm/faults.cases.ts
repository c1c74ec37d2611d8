import { expect, test } from 'vitest'
import { refusalOf, startIbm, usualLaunch, VpcClient, type IbmFixture } from './fixture.ts'

const creates = (ibm: IbmFixture) => ibm.simulator.requests.filter(({ action }) => action === 'create_instance')

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
