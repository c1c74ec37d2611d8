import { IamAuthenticator } from 'ibm-cloud-sdk-core'
import { expect, test } from 'vitest'
import { bearer, refusalOf, startIbm, tokenForm, VpcClient } from './fixture.ts'

const form = { method: 'POST' } as const

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

test('an API key gets a token that says whose it is and until when, in the form that IAM answers with', async () => {
  await using ibm = await startIbm()
  const { apikey, accountId } = ibm.simulator.facts
  const answer = await ibm.raw('/identity/token', { ...form, body: tokenForm(apikey) })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  const iat = ibm.clock.now() / 1000
  expect(answer.json).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
    refresh_token: 'not_supported',
    token_type: 'Bearer',
    expires_in: 3600,
    expiration: iat + 3600,
    scope: 'ibm openid',
  })
  expect(claimsOf((answer.json as { access_token: string }).access_token)).toMatchObject({
    iat,
    exp: iat + 3600,
    account: { bss: accountId },
    iam_id: expect.any(String) as string,
  })
})

test.each([
  ['a key that nobody has', { grant_type: 'urn:ibm:params:oauth:grant-type:apikey', apikey: 'x' }, 'BXNIM0415E'],
  ['no key', { grant_type: 'urn:ibm:params:oauth:grant-type:apikey' }, 'BXNIM0109E'],
  ['no kind of grant', { apikey: 'x' }, 'BXNIM0109E'],
  ['another kind of grant', { grant_type: 'password', apikey: 'x' }, 'BXNIM0108E'],
])('IAM refuses %s with a body of its own', async (_, body, errorCode) => {
  await using ibm = await startIbm()
  const answer = await ibm.raw('/identity/token', { ...form, body: new URLSearchParams(body) })
  expect([answer.status, answer.json]).toEqual([
    400,
    {
      errorCode,
      errorMessage: expect.any(String) as string,
      context: { requestId: expect.any(String) as string, requestType: 'incoming.Identity_Token' },
    },
  ])
})

test('IAM takes a form and nothing else', async () => {
  await using ibm = await startIbm()
  const headers = { 'content-type': 'application/json' }
  const answer = await ibm.raw('/identity/token', { ...form, headers, body: JSON.stringify({ apikey: 'x' }) })
  expect(answer).toMatchObject({ status: 400, json: { errorCode: 'BXNIM0114E' } })
})

test("the vendor's client gets one token for many calls, and says so when its key is refused", async () => {
  await using ibm = await startIbm()
  await Promise.all([ibm.client.list('vpcs'), ibm.client.list('subnets'), ibm.client.list('keys')])
  await ibm.client.list('images')
  expect(ibm.simulator.control.counts().actions['get_token']?.calls).toBe(1)
  const stranger = new VpcClient(ibm.simulator, 'not-the-key')
  expect(await refusalOf(stranger.list('vpcs'))).toMatchObject({ status: 400 })
})

test.each([
  ['no token', {}],
  ['another scheme', { authorization: 'Basic bm9ib2R5' }],
  ['a token that nobody issued', { authorization: 'Bearer a.b.c' }],
  ['no token at all', { authorization: 'Bearer ' }],
])('VPC refuses %s', async (_, headers) => {
  await using ibm = await startIbm()
  const answer = await ibm.raw('/v1/vpcs?version=2026-08-04&generation=2', { headers })
  expect([answer.status, answer.json]).toEqual([
    401,
    {
      errors: [
        {
          code: 'not_authorized',
          message: expect.stringContaining('The service token was') as string,
          more_info: expect.any(String) as string,
          target: { name: 'Authorization', type: 'header' },
        },
      ],
      trace: expect.any(String) as string,
      status_code: 401,
    },
  ])
})

test('a token whose claims were changed is refused', async () => {
  await using ibm = await startIbm()
  const [head, , mac] = (await bearer(ibm.simulator)).split('.')
  const claims = Buffer.from(JSON.stringify({ exp: 9_999_999_999, generation: 1 })).toString('base64url')
  const headers = { authorization: `${head}.${claims}.${mac}` }
  expect((await ibm.raw('/v1/vpcs?version=2026-08-04&generation=2', { headers })).status).toBe(401)
})

test('a token is good for an hour', async () => {
  await using ibm = await startIbm()
  const headers = { authorization: await bearer(ibm.simulator) }
  const status = async () => (await ibm.raw('/v1/vpcs?version=2026-08-04&generation=2', { headers })).status
  await ibm.clock.advance(3_599_999)
  expect(await status()).toBe(200)
  await ibm.clock.advance(1)
  expect(await status()).toBe(401)
})

test('keys can be changed while it runs, and tokens that are out be ended', async () => {
  await using ibm = await startIbm()
  await ibm.client.list('vpcs')
  ibm.simulator.control.expireTokens()
  expect(await refusalOf(ibm.client.list('vpcs'))).toMatchObject({ status: 401, code: 'not_authorized' })
  await ibm.control('accept-keys', { keys: 'first, second' })
  expect(await refusalOf(new VpcClient(ibm.simulator).list('vpcs'))).toMatchObject({ status: 400 })
  await new VpcClient(ibm.simulator, 'second').list('vpcs')
  await ibm.control('accept-keys', {})
  await new VpcClient(ibm.simulator).list('vpcs')
})

test('the address of IAM may be said with its path or without', async () => {
  await using ibm = await startIbm()
  const { url, facts } = ibm.simulator
  for (const address of [url, `${url}/identity/token`]) {
    const authenticator = new IamAuthenticator({ apikey: facts.apikey, url: address, proxy: false })
    const request: { headers?: { Authorization?: string } } = {}
    await authenticator.authenticate(request)
    expect(request.headers?.Authorization).toMatch(/^Bearer /)
  }
})
