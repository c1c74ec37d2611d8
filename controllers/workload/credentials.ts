import { X509Certificate } from 'node:crypto'

/** The credentials of a kubeconfig as they stand there. */
export interface Credentials {
  readonly token?: string | undefined
  /** PEM. */
  readonly cert?: string | undefined
}

/** When the credentials expire, in milliseconds. Undefined if they do not say, such as a token without an expiry. */
export function endOf({ token, cert }: Credentials): number | undefined {
  const ends = [token === undefined ? undefined : endOfToken(token), cert === undefined ? undefined : endOfCert(cert)]
  const known = ends.filter((end) => end !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/**
 * The claim `exp` of a JSON Web Token, which every ServiceAccount token is. Nothing is verified, because only the
 * server can do that.
 */
function endOfToken(token: string): number | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as unknown
    const end = typeof claims === 'object' && claims !== null ? (claims as { exp?: unknown }).exp : undefined
    return typeof end === 'number' && end > 0 && end < farFuture ? end * 1000 : undefined
  } catch {
    return undefined
  }
}

/** The last second that a Date can express. */
const farFuture = 8_640_000_000_000

function endOfCert(cert: string): number | undefined {
  try {
    const end = new X509Certificate(cert).validToDate.getTime()
    return Number.isFinite(end) ? end : undefined
  } catch {
    return undefined
  }
}
