import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTestAuthority } from '../../test/support/fakes/certificate.ts'
import { tokenUntil } from '../../test/support/fakes/workload-stub.ts'
import { endOf } from './credentials.ts'

const end = Date.UTC(2026, 10, 18, 17, 0, 0)

it('a token ends when its claim says, a certificate when it says itself, and of both the sooner counts', () => {
  const { cert } = createTestAuthority('a').issue('client')
  const endOfCert = Date.parse(new X509Certificate(cert).validTo)
  expect(endOf({ token: tokenUntil(end) })).toBe(end)
  expect(endOf({ cert })).toBe(endOfCert)
  expect(endOf({ token: tokenUntil(end), cert })).toBe(end)
  expect(endOf({ token: tokenUntil(endOfCert + 1000), cert })).toBe(endOfCert)
})

it.each([
  ['no credentials', {}],
  ['a token that is no JSON Web Token', { token: 'opaque' }],
  ['a token without an end, as that of a Secret is', { token: `e30.${Buffer.from('{}').toString('base64url')}.x` }],
  ['a token whose claims are no object', { token: `e30.${Buffer.from('null').toString('base64url')}.x` }],
  ['an end that no clock can show', { token: tokenUntil(1e20) }],
  ['a certificate that is none', { cert: 'PEM' }],
])('%s: nobody knows', (_, credentials) => {
  expect(endOf(credentials)).toBeUndefined()
})

it('whatever stands there, nothing is thrown', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (token, cert) => endOf({ token, cert }) !== 0))
})
