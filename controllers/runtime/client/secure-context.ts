import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'

/** PEM texts. Without `ca` the well-known authorities are trusted. */
export interface TlsMaterial {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/**
 * Reads the certificates and the key once, so that a fault is reported when they are loaded, and not by every
 * connection. The error names the faulty part and nothing of its contents.
 */
export function secureContextOf({ ca, cert, key }: TlsMaterial): SecureContext {
  if (cert !== undefined && key === undefined) throw new Error('there is a client certificate without its key')
  if (key !== undefined && cert === undefined) throw new Error('there is a client key without its certificate')
  if (ca !== undefined) checkAuthority(ca)
  if (cert === undefined || key === undefined) return createSecureContext(ca === undefined ? {} : { ca })
  attempt(() => createSecureContext({ cert }), 'the client certificate cannot be read')
  attempt(() => createSecureContext({ key }), 'the client key cannot be read; it must be PEM without a passphrase')
  return attempt(
    () => createSecureContext({ ...(ca === undefined ? {} : { ca }), cert, key }),
    'the client key does not belong to the client certificate',
  )
}

/** OpenSSL silently skips what it cannot read here, and would then trust no server. */
function checkAuthority(ca: string): void {
  const certificates = [...certificatesIn(ca)]
  if (certificates.length === 0) throw new Error('the certificate authority is not a PEM certificate')
  attempt(() => certificates.map((pem) => new X509Certificate(pem)), 'the certificate authority cannot be read')
}

/** Reads each character once. A pattern would begin anew at each of a thousand BEGINs without an END. */
function* certificatesIn(pem: string): Generator<string> {
  const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----']
  for (let from = pem.indexOf(begin); from >= 0;) {
    const last = pem.indexOf(end, from)
    if (last < 0) return
    yield pem.slice(from, last + end.length)
    from = pem.indexOf(begin, last)
  }
}

function attempt<T>(run: () => T, complaint: string): T {
  try {
    return run()
  } catch {
    throw new Error(complaint)
  }
}
