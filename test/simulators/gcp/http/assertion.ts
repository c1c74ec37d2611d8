import { verify, type KeyObject } from 'node:crypto'
import { GceError } from './errors.ts'

/** Of a service account, as far as it takes to tell what it has signed. */
export interface Signer {
  readonly email: string
  readonly keyId: string
  readonly key: KeyObject
}

export type Claims = Readonly<Record<string, unknown>>

/** What a JWT says that this account has signed. Throws what the token endpoint answers to any other. */
export function readAssertion(assertion: string, signer: Signer | undefined): Claims {
  const [head = '', claims = '', signature = '', ...more] = assertion.split('.')
  const header = readPart(head)
  const said = more.length > 0 ? undefined : readPart(claims)
  if (!header || !said) throw new GceError('invalid_grant', 'Bad Request: the assertion is no JWT.')
  if (!signer || said['iss'] !== signer.email) throw new GceError('invalid_grant', 'Invalid grant: account not found')
  if (!isSigned(signer, header, { text: `${head}.${claims}`, signature })) {
    throw new GceError('invalid_grant', 'Invalid JWT Signature.')
  }
  checkLife(said)
  return said
}

/** The scopes that it asks for; undefined: none. */
export function scopesOf({ scope }: Claims): readonly string[] | undefined {
  return typeof scope === 'string' && scope.trim() !== '' ? scope.trim().split(/\s+/) : undefined
}

function readPart(part: string): Claims | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof read === 'object' && read !== null ? (read as Claims) : undefined
  } catch {
    return undefined
  }
}

function isSigned(
  { keyId, key }: Signer,
  { alg, kid = keyId }: Claims,
  { text, signature }: { readonly text: string; readonly signature: string },
): boolean {
  const isOurs = alg === 'RS256' && kid === keyId
  return isOurs && verify('RSA-SHA256', Buffer.from(text), key, Buffer.from(signature, 'base64url'))
}

function checkLife({ iat, exp }: Claims): void {
  if (typeof iat === 'number' && typeof exp === 'number' && exp > iat && exp - iat <= 3600) return
  throw new GceError(
    'invalid_grant',
    'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and ' +
      'exp values in the JWT claim.',
  )
}
