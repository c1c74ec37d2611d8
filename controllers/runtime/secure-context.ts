import { createSecureContext, type SecureContext } from 'node:tls'

/** PEM texts. Without `ca` the well-known authorities are trusted. */
export interface TlsMaterial {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/**
 * Reads certificates and key once, so that what is wrong with them is said when they are loaded and not by every
 * connection. The error names the part at fault and nothing of its contents.
 */
export function secureContextOf({ ca, cert, key }: TlsMaterial): SecureContext {
  if (cert !== undefined && key === undefined) throw new Error('there is a client certificate without its key')
  if (key !== undefined && cert === undefined) throw new Error('there is a client key without its certificate')
  // OpenSSL takes a text without any certificate in silence, and would then trust nobody.
  if (ca !== undefined && !ca.includes('-----BEGIN')) throw new Error('the certificate authority is not PEM')
  if (ca !== undefined) attempt(() => createSecureContext({ ca }), 'the certificate authority cannot be read')
  if (cert === undefined || key === undefined) return createSecureContext(ca === undefined ? {} : { ca })
  attempt(() => createSecureContext({ cert }), 'the client certificate cannot be read')
  attempt(() => createSecureContext({ key }), 'the client key cannot be read; it must be PEM without a passphrase')
  return attempt(
    () => createSecureContext({ ...(ca === undefined ? {} : { ca }), cert, key }),
    'the client key does not belong to the client certificate',
  )
}

function attempt<T>(run: () => T, complaint: string): T {
  try {
    return run()
  } catch {
    throw new Error(complaint)
  }
}
