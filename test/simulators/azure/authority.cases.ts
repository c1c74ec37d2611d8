import { ClientAssertionCredential, ClientSecretCredential } from '@azure/identity'
import { expect, test } from 'vitest'
import { bearer, startAzure, type AzureFixture } from './fixture.ts'

const scope = 'https://management.azure.com/.default'
const client = '11111111-0000-4000-8000-000000000001'

/** Azure's own client, told of the certificate, and not to ask the real authority about ours. */
function optionsFor({ simulator }: AzureFixture) {
  const { authority: authorityHost, authorityCertificate } = simulator.facts
  return {
    authorityHost,
    disableInstanceDiscovery: true,
    tlsOptions: { ca: authorityCertificate },
    retryOptions: { maxRetries: 0 },
  }
}

function credential(azure: AzureFixture, secret: string): ClientSecretCredential {
  return new ClientSecretCredential(azure.simulator.facts.tenant, client, secret, optionsFor(azure))
}

const groups = ({ simulator }: AzureFixture) => `/subscriptions/${simulator.facts.subscription}/resourceGroups`

/** What a list of resource groups answers to this token. */
async function statusWith(azure: AzureFixture, token: string): Promise<[number, unknown]> {
  const headers = { authorization: `Bearer ${token}` }
  const { status, json } = await azure.raw('GET', groups(azure), { headers, version: '2021-04-01' })
  return [status, (json as { error?: { code: string } }).error?.code]
}

test('a client with a secret gets a token over HTTPS, and with it answers', async () => {
  await using azure = await startAzure({ secrets: { [client]: 'right' } })
  const { token, expiresOnTimestamp } = await credential(azure, 'right').getToken(scope)
  expect(expiresOnTimestamp).toBeGreaterThan(0)
  expect(await statusWith(azure, token)).toEqual([200, undefined])
  expect(azure.simulator.control.counts().actions).toMatchObject({ Authority_Token: { calls: 1 } })
})

test("a workload's own token does in place of a secret", async () => {
  await using azure = await startAzure({ secrets: { [client]: 'right' } })
  const { tenant } = azure.simulator.facts
  const workload = new ClientAssertionCredential(tenant, client, () => Promise.resolve('a-jwt'), optionsFor(azure))
  const { token } = await workload.getToken(scope)
  expect(await statusWith(azure, token)).toEqual([200, undefined])
})

test('a wrong secret gets no token', async () => {
  await using azure = await startAzure({ secrets: { [client]: 'right' } })
  await expect(credential(azure, 'wrong').getToken(scope)).rejects.toThrow(/invalid_client.*AADSTS7000215/s)
})

test('a token of somebody else is refused where clients are known, and any will do where they are not', async () => {
  await using azure = await startAzure()
  expect(await statusWith(azure, 'made-up')).toEqual([200, undefined])
  await azure.control('accept-keys', { keys: { [client]: 'right' } })
  expect(await statusWith(azure, 'made-up')).toEqual([401, 'InvalidAuthenticationToken'])
  await azure.control('accept-keys', {})
  expect(await statusWith(azure, 'made-up')).toEqual([200, undefined])
})

test('a token ends after an hour', async () => {
  await using azure = await startAzure({ secrets: { [client]: 'right' } })
  const { token } = await credential(azure, 'right').getToken(scope)
  await azure.clock.advance(3_599_000)
  expect(await statusWith(azure, token)).toEqual([401, 'ExpiredAuthenticationToken'])
})

test('without a token nothing is answered, and it is said where tokens are', async () => {
  await using azure = await startAzure()
  const { status, headers, json } = await azure.raw('GET', groups(azure), { headers: {}, version: '2021-04-01' })
  expect(status).toBe(401)
  expect(json).toEqual({
    error: {
      code: 'AuthenticationFailed',
      message: "Authentication failed. The 'Authorization' header is missing.",
    },
  })
  expect(headers.get('www-authenticate')).toContain(azure.simulator.facts.tenant)
  const basic = await azure.raw('GET', groups(azure), { headers: { authorization: 'Basic abc' } })
  expect([basic.status, basic.json]).toMatchObject([401, { error: { code: 'AuthenticationFailedInvalidHeader' } }])
})

/** A form at the token endpoint, over plain HTTP. */
async function ask(azure: AzureFixture, form: Readonly<Record<string, string>>, tenant?: string) {
  const path = `/${tenant ?? azure.simulator.facts.tenant}/oauth2/v2.0/token`
  const answer = await fetch(new URL(path, azure.simulator.url), { method: 'POST', body: new URLSearchParams(form) })
  return { status: answer.status, json: (await answer.json()) as { error?: string; access_token?: string } }
}

const form = { grant_type: 'client_credentials', client_id: client, client_secret: 'right', scope }

test.each<[string, Partial<typeof form>, number, string]>([
  ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ['no client', { client_id: '' }, 400, 'invalid_request'],
  ['another API', { scope: 'https://vault.azure.net/.default' }, 400, 'invalid_resource'],
  ['no secret', { client_secret: '' }, 401, 'invalid_client'],
])('%s gets no token', async (_, over, status, error) => {
  await using azure = await startAzure({ secrets: { [client]: 'right' } })
  expect(await ask(azure, { ...form, ...over })).toMatchObject({ status, json: { error } })
})

test('over plain HTTP there are tokens too, for clients that are content with that; not in another tenant', async () => {
  await using azure = await startAzure({ secrets: { [client]: 'right' } })
  const { json } = await ask(azure, form)
  expect(await statusWith(azure, json.access_token ?? '')).toEqual([200, undefined])
  expect(await ask(azure, form, 'common')).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
})

test('secrets and assertions are not remembered', async () => {
  await using azure = await startAzure()
  await ask(azure, { ...form, client_secret: 'secret-canary', client_assertion: 'assertion-canary' })
  const [request] = azure.simulator.requests
  expect(request?.action).toBe('Authority_Token')
  expect(JSON.stringify(request)).not.toContain('canary')
  expect(JSON.stringify(request)).not.toContain(bearer.authorization)
})
