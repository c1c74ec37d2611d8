import { createSign, generateKeyPairSync } from 'node:crypto'
import { JWT } from 'google-auth-library'
import { expect, test } from 'vitest'
import { instancesPath, refusalOf, startGce, type GceFixture } from './fixture.ts'

const platform = 'https://www.googleapis.com/auth/cloud-platform'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The vendor's own library, led to the endpoint that the key file names: by itself it only ever asks Google's. */
function vendorClient(gce: GceFixture, scopes: string[] = [platform]): JWT {
  const { client_email: email, private_key: key, token_uri } = gce.simulator.control.serviceAccountKey()
  const client = new JWT({ email, key, scopes })
  client.transporter.interceptors.request.add({
    resolved: (config) => Promise.resolve(Object.assign(config, { url: new URL(token_uri), retry: false })),
  })
  return client
}

async function ask(gce: GceFixture, form: Readonly<Record<string, string>>) {
  const answer = await fetch(`${gce.simulator.url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}

type Part = Readonly<Record<string, unknown>>

function sign(header: Part, claims: Part, key: string): string {
  const part = (value: Part) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`
}

interface Wrong {
  readonly header?: Part
  readonly claims?: Part
  readonly key?: string
}

/** An assertion as it should be, but for what is given. */
function assertion(gce: GceFixture, { header, claims, key }: Wrong = {}): string {
  const { client_email: iss, token_uri: aud, private_key, private_key_id } = gce.simulator.control.serviceAccountKey()
  return sign(
    { alg: 'RS256', typ: 'JWT', kid: private_key_id, ...header },
    { iss, aud, scope: platform, iat: 1_767_225_600, exp: 1_767_229_200, ...claims },
    key ?? private_key,
  )
}

/** Whether a call with this token is let in. */
async function statusWith(gce: GceFixture, token: unknown, method = 'GET'): Promise<number> {
  const path = method === 'GET' ? instancesPath : `${instancesPath}/worker/stop`
  const { status } = await gce.call(method, path, { headers: { authorization: `Bearer ${String(token)}` } })
  return status
}

test("the vendor's library gets a token with the key file, and the token is let in", async () => {
  await using gce = await startGce({ tokens: 'issued' })
  const { token } = await vendorClient(gce).getAccessToken()
  expect(token).toMatch(/^ya29\./)
  expect(await statusWith(gce, token)).toBe(200)
  expect(await statusWith(gce, 'ya29.stolen')).toBe(401)
  expect(gce.simulator.requests.map(({ action }) => action)).toEqual(['token', 'instances.list', 'instances.list'])
  expect(JSON.stringify(gce.simulator.requests)).not.toContain(token)
})

test('the key file is one, and the same over HTTP', async () => {
  await using gce = await startGce()
  const key = gce.simulator.control.serviceAccountKey()
  expect(key).toMatchObject({
    type: 'service_account',
    project_id: gce.simulator.facts.project,
    token_uri: `${gce.simulator.url}/token`,
    private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/) as string,
    universe_domain: 'googleapis.com',
  })
  expect((await gce.control('service-account-key')).json).toEqual(key)
})

test('a token ends when it is made to, and the next one is let in', async () => {
  await using gce = await startGce()
  const { token } = await vendorClient(gce).getAccessToken()
  await gce.control('expire-tokens', {})
  expect(await statusWith(gce, token)).toBe(401)
  // The library would answer with the token that it has for as long as it should have lived: another one asks anew.
  const next = await vendorClient(gce).getAccessToken()
  expect(await statusWith(gce, next.token)).toBe(200)
})

test('tokens of others are accepted unless only its own are', async () => {
  await using gce = await startGce()
  expect(await statusWith(gce, 'ya29.whatever')).toBe(200)
  await gce.control('accept-tokens', { which: 'issued' })
  const refusal = await refusalOf(gce.call('GET', instancesPath))
  expect(refusal).toMatchObject({ code: 'authError', status: 401 })
  await gce.control('accept-tokens', { which: 'any' })
  expect(await statusWith(gce, 'ya29.whatever')).toBe(200)
})

test.each([
  ['https://www.googleapis.com/auth/compute', 200, 404],
  ['https://www.googleapis.com/auth/compute.readonly', 200, 403],
  ['https://www.googleapis.com/auth/devstorage.read_write', 403, 403],
])('a token for %s', async (scope, looks, changes) => {
  await using gce = await startGce()
  const { token } = await vendorClient(gce, [scope]).getAccessToken()
  expect([await statusWith(gce, token), await statusWith(gce, token, 'POST')]).toEqual([looks, changes])
})

const otherKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey

test.each<[string, Wrong, { error: string; says: string }]>([
  ["another account's key", { key: otherKey }, { error: 'invalid_grant', says: 'Invalid JWT Signature.' }],
  ['another key id', { header: { kid: 'other' } }, { error: 'invalid_grant', says: 'Invalid JWT Signature.' }],
  ['another algorithm', { header: { alg: 'none' } }, { error: 'invalid_grant', says: 'Invalid JWT Signature.' }],
  ['another account', { claims: { iss: 'x@y.z' } }, { error: 'invalid_grant', says: 'account not found' }],
  ['another audience', { claims: { aud: 'https://a.b' } }, { error: 'invalid_grant', says: 'audience' }],
  ['two hours of life', { claims: { exp: 1_767_232_800 } }, { error: 'invalid_grant', says: 'short-lived token' }],
  ['no end', { claims: { exp: undefined } }, { error: 'invalid_grant', says: 'short-lived token' }],
  ['no scope', { claims: { scope: '' } }, { error: 'invalid_scope', says: 'Invalid OAuth scope' }],
])('an assertion with %s gets no token', async (_, wrong, { error, says }) => {
  await using gce = await startGce()
  expect(await ask(gce, { grant_type: grant, assertion: assertion(gce, wrong) })).toEqual({
    status: 400,
    json: { error, error_description: expect.stringContaining(says) as string },
  })
  expect((await ask(gce, { grant_type: grant, assertion: assertion(gce) })).status).toBe(200)
})

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['no grant type', { assertion: 'a.b.c' }, 'invalid_request'],
  ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['no assertion', { grant_type: grant }, 'invalid_request'],
  ['an assertion that is none', { grant_type: grant, assertion: 'a.b.c' }, 'invalid_grant'],
])('a request for a token with %s is refused', async (_, form, error) => {
  await using gce = await startGce()
  expect(await ask(gce, form)).toMatchObject({ status: 400, json: { error } })
})

test.each<[string, Part, number]>([
  ['for the compute API', { aud: 'https://compute.googleapis.com/', scope: undefined }, 200],
  ['with a scope', { aud: undefined }, 200],
  ['with another scope', { aud: undefined, scope: 'https://www.googleapis.com/auth/devstorage.read_write' }, 403],
  ['for another API', { aud: 'https://storage.googleapis.com/', scope: undefined }, 401],
])('an account may sign its own token: %s', async (_, claims, status) => {
  await using gce = await startGce({ tokens: 'issued' })
  expect(await statusWith(gce, assertion(gce, { claims }))).toBe(status)
  expect(await statusWith(gce, assertion(gce, { claims, key: otherKey }))).toBe(401)
})

test('before the key was handed out nobody can have signed with it', async () => {
  await using other = await startGce()
  await using gce = await startGce()
  expect(await ask(gce, { grant_type: grant, assertion: assertion(other) })).toMatchObject({
    status: 400,
    json: { error: 'invalid_grant' },
  })
})

test('the token endpoint can fail like everything else, in its own words', async () => {
  await using gce = await startGce()
  gce.simulator.control.failNext('token', 1, { code: 'invalid_grant', message: 'Account disabled.' })
  await expect(vendorClient(gce).getAccessToken()).rejects.toThrow('invalid_grant')
  await vendorClient(gce).getAccessToken()
  expect(gce.simulator.control.counts().actions['token']).toEqual({
    calls: 2,
    lost: 0,
    codes: { invalid_grant: 1, OK: 1 },
  })
})
