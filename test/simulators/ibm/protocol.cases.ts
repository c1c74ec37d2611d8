import { expect, test } from 'vitest'
import { bearer, refusalOf, startIbm, usualLaunch } from './fixture.ts'

const year = 365 * 24 * 3_600_000

test.each([
  ['no version', 'generation=2', 'missing_version'],
  ['no generation', 'version=2026-08-04', 'missing_generation_parameter'],
  ['the first generation', 'version=2026-08-04&generation=1', 'invalid_generation_parameter'],
  ['a version that is no date', 'version=latest&generation=2', 'invalid_version'],
  ['a version without leading zeros', 'version=2026-8-4&generation=2', 'invalid_version'],
  ['a day that there is not', 'version=2026-02-30&generation=2', 'invalid_version'],
  ['a version before the first', 'version=2018-12-31&generation=2', 'invalid_version_range'],
  ['a version of the future', 'version=2199-01-01&generation=2', 'invalid_version_range'],
])('%s is refused', async (_, query, code) => {
  await using ibm = await startIbm()
  const headers = { authorization: await bearer(ibm.simulator) }
  const answer = await ibm.raw(`/v1/instances?${query}`, { headers })
  expect([answer.status, answer.json]).toMatchObject([400, { errors: [{ code, target: { type: 'parameter' } }] }])
})

test('the version of today is good, and tomorrow that of tomorrow; the parameters stand in any order', async () => {
  await using ibm = await startIbm()
  await ibm.clock.advance(year)
  const ask = async (ms: number) => {
    const date = new Date(ibm.clock.now() + ms).toISOString().slice(0, 10)
    const headers = { authorization: await bearer(ibm.simulator) }
    return (await ibm.raw(`/v1/instances?limit=1&generation=2&version=${date}`, { headers })).status
  }
  expect([await ask(0), await ask(24 * 3_600_000)]).toEqual([200, 400])
})

test.each([
  ['an address that there is not', 'GET', '/instance_groups'],
  ['a part of nothing', 'GET', '/instances/a/b'],
  ['a method that an address has not', 'PUT', '/instances/a'],
])('%s is refused', async (_, method, path) => {
  await using ibm = await startIbm()
  expect(await ibm.vpc(path, { method })).toMatchObject({ status: 404, json: { errors: [{ code: 'invalid_route' }] } })
})

test('every body says that it is JSON, also that of a refusal; an answer without a body says nothing', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  const types: (string | null)[] = []
  for (const [method, path] of [
    ['GET', '/instances'],
    ['GET', '/instances/none'],
    ['DELETE', `/instances/${id}`],
  ] as const) {
    types.push((await ibm.vpc(path, { method, headers: { accept: '*/*' } })).headers.get('content-type'))
  }
  expect(types).toEqual(['application/json; charset=utf-8', 'application/json; charset=utf-8', null])
})

test('a call has a name: its own, or one that it is given; both can be seen in the record', async () => {
  await using ibm = await startIbm()
  const named = await ibm.vpc('/vpcs', { headers: { 'x-request-id': 'mine-1' } })
  expect(named.headers.get('x-request-id')).toBe('mine-1')
  expect((await ibm.vpc('/vpcs/none', { headers: { 'x-request-id': 'mine-2' } })).headers.get('x-request-id')).toBe(
    'mine-2',
  )
  expect((await ibm.vpc('/vpcs')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const seen = ibm.simulator.requests.filter(({ action }) => action !== 'get_token')
  expect(seen.map(({ params }) => params['x-request-id'])).toEqual(['mine-1', 'mine-2', undefined])
})

test('a create that is sent again can be told by its name from another one, and makes no second instance', async () => {
  await using ibm = await startIbm()
  const body = JSON.stringify({ ...usualLaunch(ibm.simulator), name: 'again' })
  const headers = { 'content-type': 'application/json', 'x-request-id': 'same' }
  const statuses: number[] = []
  for (let call = 0; call < 2; call++)
    statuses.push((await ibm.vpc('/instances', { method: 'POST', headers, body })).status)
  expect(statuses).toEqual([201, 400])
  const creates = ibm.simulator.requests.filter(({ action }) => action === 'create_instance')
  expect(creates.map(({ params }) => params['x-request-id'])).toEqual(['same', 'same'])
  expect(ibm.simulator.control.instances()).toHaveLength(1)
})

test('a body may end with a line, as that of other languages does', async () => {
  await using ibm = await startIbm()
  const body = `${JSON.stringify({ ...usualLaunch(ibm.simulator), name: 'line' })}\n`
  const headers = { 'content-type': 'application/json' }
  expect((await ibm.vpc('/instances', { method: 'POST', headers, body })).status).toBe(201)
})

test.each([
  ['no JSON', '{"name":', 'application/json', 'validation_failure'],
  ['a list', '[]', 'application/json', 'validation_invalid_field_type'],
  ['a body of another kind', 'name=a', 'application/x-www-form-urlencoded', 'bad_request'],
])('%s is refused', async (_, body, type, code) => {
  await using ibm = await startIbm()
  const answer = await ibm.vpc('/instances', { method: 'POST', headers: { 'content-type': type }, body })
  expect(answer).toMatchObject({ status: 400, json: { errors: [{ code }] } })
})

test('what IBM does not know is refused, or, by a switch, passed over', async () => {
  await using ibm = await startIbm()
  const field = { ...usualLaunch(ibm.simulator), name: 'odd', user_tags: ['a'] }
  expect(await refusalOf(ibm.client.call('POST', '/instances', { body: field }))).toMatchObject({
    status: 400,
    code: 'invalid_request_field',
    target: { name: 'user_tags', type: 'field' },
  })
  expect(await refusalOf(ibm.client.list('instances', { status: 'running' }))).toMatchObject({
    code: 'invalid_request_field',
    target: { name: 'status', type: 'parameter' },
  })
  ibm.simulator.control.behave({ unknownFields: 'ignored' })
  await ibm.client.call('POST', '/instances', { body: field })
  expect(await ibm.client.list('instances', { status: 'running' })).toHaveLength(1)
})

test('the API key is nowhere in the record of calls', async () => {
  await using ibm = await startIbm()
  await ibm.launch()
  const { requests, facts } = ibm.simulator
  expect(JSON.stringify(requests)).not.toContain(facts.apikey)
  expect(requests.at(-1)?.params).toMatchObject({ version: '2026-08-04', body: { name: 'worker-1' } })
})
