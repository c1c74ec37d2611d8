import { CloudError } from '../../api/cloud-error.ts'

/** Where calls with our credentials go. */
export interface Address {
  readonly url: URL
  /** On this machine: a simulator, or a proxy that speaks TLS for us. Nothing listens in between. */
  readonly isLocal: boolean
}

/**
 * The address in an operator's variable. Throws 'denied' where credentials could be read in between, and for texts that
 * are no address. The text itself is not shown: it may hold a password.
 */
export function addressIn(variable: string, given: string, example: string): Address {
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw refused(`${variable} is not an http or https address; write it like ${example}.`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw refused(`${variable} must be an address only; write it like ${example}.`)
  }
  const isLocal = isLoopback(url.hostname)
  if (url.protocol === 'http:' && !isLocal) {
    throw refused(
      `${variable} is plain http to ${url.hostname}; use https, because plain http is allowed on loopback addresses only.`,
    )
  }
  return { url, isLocal }
}

/** As text, without a slash at its end. */
export function withoutSlash({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/\/+$/, '')
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** A person has to act. It is the fault of no machine. */
function refused(message: string): CloudError {
  return new CloudError('denied', { code: 'InvalidEndpoint', message })
}
