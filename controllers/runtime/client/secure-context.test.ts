import { expect, it } from 'vitest'
import { createTestAuthority } from '../../../test/support/fakes/certificate.ts'
import { longestStallMs, ownTimeOf } from '../../../test/support/own-time.ts'
import { secureContextOf, type TlsMaterial } from './secure-context.ts'

const authority = createTestAuthority('authority')
const ca = authority.cert
const { cert, key } = authority.issue('one')
const other = authority.issue('other')
const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

it.each<[string, TlsMaterial]>([
  ['nothing', {}],
  ['an authority', { ca }],
  ['several authorities', { ca: `# comment\n${ca}\n${ca}` }],
  ['a client certificate', { cert, key }],
  ['all', { ca, cert, key }],
])('takes %s', (_, material) => {
  expect(secureContextOf(material).context).toBeDefined()
})

it.each<[string, TlsMaterial]>([
  ['the certificate authority is not a PEM certificate', { ca: 'canary' }],
  ['the certificate authority is not a PEM certificate', { ca: key }],
  ['the certificate authority cannot be read', { ca: broken }],
  ['there is a client certificate without its key', { cert }],
  ['there is a client key without its certificate', { key }],
  ['the client certificate cannot be read', { cert: broken, key }],
  ['the client key cannot be read; it must be PEM without a passphrase', { cert, key: 'canary' }],
  ['the client key does not belong to the client certificate', { cert, key: other.key }],
])('says that %s', (complaint, material) => {
  expect(() => secureContextOf(material)).toThrow(new Error(complaint))
})

it('C1: an authority of thousands of BEGINs without an END holds nothing up', async () => {
  const hostile = '-----BEGIN CERTIFICATE-----'.repeat(7_200)
  const read = () => expect(() => secureContextOf({ ca: hostile })).toThrow('is not a PEM certificate')
  expect(await ownTimeOf(read)).toBeLessThan(longestStallMs)
})
