import type { TLSSocket } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { ApiserverStub } from '../../../test/support/fakes/apiserver-stub.ts'
import { createTestAuthority } from '../../../test/support/fakes/certificate.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { createClient } from './client.ts'
import type { Connection } from './kubeconfig.ts'

const authority = createTestAuthority('test-authority')
const server = authority.issue('apiserver', ['kubernetes.default.svc'])
const user = authority.issue('user-1')

/** The server's description of the caller, over TLS with the given trust and credentials. */
async function ask(over: Partial<Connection>): Promise<string> {
  const options = {
    cert: server.cert,
    key: server.key,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: false,
  }
  const stub = await ApiserverStub.start((request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    response.end(`hello ${String(subject?.CN ?? 'nobody')}`)
  }, options)
  const client = createClient({ server: stub.url, ...over }, { userAgent: 'test' })
  onTestFinished(() => client.close().then(() => stub[Symbol.asyncDispose]()))
  return client.raw('/whoami', quietCtx())
}

it('speaks to a server of the authority that it was given', async () => {
  expect(await ask({ ca: authority.cert })).toBe('hello nobody')
})

it('shows its client certificate', async () => {
  expect(await ask({ ca: authority.cert, cert: user.cert, key: user.key })).toBe('hello user-1')
})

it('expects the name that it was told to', async () => {
  expect(await ask({ ca: authority.cert, serverName: 'kubernetes.default.svc' })).toBe('hello nobody')
  await expect(ask({ ca: authority.cert, serverName: 'other.example' })).rejects.toMatchObject({
    status: 0,
    reason: 'Unreachable',
    message: expect.stringContaining('other.example') as string,
  })
})

it.each([
  ['another authority', createTestAuthority('other').cert],
  ['the well-known ones', undefined],
])('does not speak to a server when it trusts %s', async (_, ca) => {
  await expect(ask(ca === undefined ? {} : { ca })).rejects.toMatchObject({ status: 0, reason: 'Unreachable' })
})

it('speaks to any server only when the operator asked for it', async () => {
  expect(await ask({ insecureSkipVerify: true })).toBe('hello nobody')
})
