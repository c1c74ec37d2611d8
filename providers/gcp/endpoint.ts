import { CloudError } from '../errors.ts'
import type { Environment } from './variables.ts'

const usual = 'https://compute.googleapis.com/compute/v1/'
const name = 'CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE' satisfies keyof Environment

/** Where the Compute Engine API is. Ends with a slash. */
export function endpointOf(environment: Environment): URL {
  const given = environment[name] || usual
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw refused(`${given} is no http or https address`)
  if (url.username || url.password || url.search || url.hash) throw refused('it must be an address and nothing else')
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw refused(`plain http leads to ${url.hostname}; credentials go over https, except to this machine`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  return new URL(`${path === '' ? '/compute/v1' : path}/`, url)
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

function refused(why: string): CloudError {
  return new CloudError('denied', { code: 'InvalidEndpoint', message: `${name}: ${why}. Correct it, or leave it out.` })
}
