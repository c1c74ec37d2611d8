import { afterEach, describe, expect, it, vi } from 'vitest'
import { credentialFrom, sharedWhileAsking, withoutToken } from './credentials.ts'

const named = (name: string, message: string, more: object = {}) => Object.assign(new Error(message), { ...more, name })

describe('without a token', () => {
  it.each([
    named('CredentialUnavailableError', 'Nothing is set.'),
    named('AggregateAuthenticationError', 'ChainedTokenCredential authentication failed.'),
    named('AuthenticationRequiredError', 'invalid_client: 7000215', { statusCode: 401 }),
  ])('$name is for a person to mend', (thrown) => {
    expect(withoutToken(thrown)).toMatchObject({ kind: 'denied', code: thrown.name })
  })

  it.each([
    named('AuthenticationError', 'The authority is down.', { statusCode: 503 }),
    named('RestError', 'getaddrinfo'),
    named('AuthenticationRequiredError', 'network_error: connect ECONNREFUSED 127.0.0.1:1'),
  ])('$message passes, and is never ambiguous: nothing was asked', (thrown) => {
    expect(withoutToken(thrown).kind).toBe('transient')
  })

  it('has Microsoft’s own code, and its first sentence only', () => {
    const message = 'AADSTS7000215: Invalid client secret provided. Ensure it is right.\r\nTrace ID: 1\r\nTimestamp: 2'
    expect(withoutToken(named('AuthenticationError', message, { statusCode: 401 }))).toMatchObject({
      kind: 'denied',
      code: 'AADSTS7000215',
      message: message.split('\r\n')[0],
    })
  })
})

describe('the chain', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('says what is wrong with the environment, as a refusal and not as a crash', async () => {
    vi.stubEnv('AZURE_TOKEN_CREDENTIALS', 'EnvironmentCredential')
    for (const name of ['TENANT_ID', 'CLIENT_ID', 'CLIENT_SECRET']) vi.stubEnv(`AZURE_${name}`, '')
    await expect(credentialFrom(process.env).getToken('scope/.default')).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('Set AZURE_TENANT_ID') as string,
    })
  })

  it('sends no secret over plain HTTP', async () => {
    vi.stubEnv('AZURE_TOKEN_CREDENTIALS', 'EnvironmentCredential')
    vi.stubEnv('AZURE_AUTHORITY_HOST', 'http://127.0.0.1:1')
    vi.stubEnv('AZURE_TENANT_ID', '72f988bf-0000-4000-8000-000000000001')
    vi.stubEnv('AZURE_CLIENT_ID', '7c3a1b00-0000-4000-8000-000000000001')
    vi.stubEnv('AZURE_CLIENT_SECRET', 'secret')
    await expect(credentialFrom(process.env).getToken('scope/.default')).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('https') as string,
    })
  })
})

describe('a token', () => {
  it('is asked for once by all who need it at the same time, and anew by whoever comes later', async () => {
    const waiting: PromiseWithResolvers<{ token: string; expiresOnTimestamp: number }>[] = []
    const shared = sharedWhileAsking({
      getToken: () => {
        const next = Promise.withResolvers<{ token: string; expiresOnTimestamp: number }>()
        waiting.push(next)
        return next.promise
      },
    })
    const together = [shared.getToken('a'), shared.getToken('a'), shared.getToken('b')]
    expect(waiting).toHaveLength(2)
    waiting[0]?.resolve({ token: 'of a', expiresOnTimestamp: 1 })
    waiting[1]?.reject(new Error('No.'))
    const outcomes = await Promise.allSettled(together)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    void shared.getToken('a')
    void shared.getToken('b')
    expect(waiting).toHaveLength(4)
  })
})
