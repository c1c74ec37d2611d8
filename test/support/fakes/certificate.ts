import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export interface TestCertificate {
  readonly cert: string
  readonly key: string
}

export interface TestAuthority extends TestCertificate {
  /** A certificate of this authority, for a server at these DNS names (and 127.0.0.1) or for a client. */
  issue(name: string, dnsNames?: string[]): TestCertificate
}

/** An authority that lives as long as the test: no key lies in the repository and nothing expires. */
export function createTestAuthority(name: string): TestAuthority {
  const { privateKey, publicKey } = newKeys()
  const own = certificate({ subject: name, issuer: name, publicKey, signer: privateKey, isAuthority: true })
  return {
    cert: own,
    key: pemOf(privateKey),
    issue(subject, dnsNames = []) {
      const keys = newKeys()
      const { publicKey } = keys
      return {
        cert: certificate({ subject, issuer: name, publicKey, signer: privateKey, dnsNames }),
        key: pemOf(keys.privateKey),
      }
    },
  }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

interface CertificateParts {
  subject: string
  issuer: string
  publicKey: KeyObject
  signer: KeyObject
  isAuthority?: boolean
  dnsNames?: string[]
}

function certificate({
  subject,
  issuer,
  publicKey,
  signer,
  isAuthority = false,
  dnsNames = [],
}: CertificateParts): string {
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const year = new Date().getUTCFullYear()
  const alternatives = [...dnsNames.map((dns) => der(0x82, Buffer.from(dns))), der(0x87, Buffer.from([127, 0, 0, 1]))]
  const extensions = [
    extension('551d13', sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []))),
    ...(isAuthority ? [] : [extension('551d11', sequence(...alternatives))]),
  ]
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(der(0x18, Buffer.from(`${year - 1}0101000000Z`)), der(0x18, Buffer.from(`${year + 2}0101000000Z`))),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, signer)]))
  const lines = sequence(body, ecdsaWithSha256, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** One element of the Distinguished Encoding Rules. */
function der(tag: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const commonName = (name: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))))
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value))
