import { CloudError } from '../errors.ts'
import type { Environment } from './variables.ts'

/** Azure's API, as the environment names it. */
export interface Endpoint {
  readonly url: string
  /** What a token has to be for. */
  readonly tokenScope: string
  /** Plain HTTP, to this very host: a simulator, or a proxy that speaks TLS for us. */
  readonly isPlain: boolean
}

const usual = 'https://management.azure.com'

/** Throws `CloudError` of kind 'denied' where a token would travel in the clear. */
export function endpointFrom({
  AZURE_RESOURCE_MANAGER_ENDPOINT: given,
  AZURE_RESOURCE_MANAGER_AUDIENCE: audience,
}: Environment): Endpoint {
  const url = withoutSlash(given || usual)
  const { protocol, hostname } = parsed(url)
  const isPlain = protocol === 'http:'
  if (isPlain ? !isLoopback(hostname) : protocol !== 'https:') {
    throw badEndpoint(
      `AZURE_RESOURCE_MANAGER_ENDPOINT is ${url}; take https, plain http is for loopback addresses only.`,
    )
  }
  return { url, isPlain, tokenScope: `${withoutSlash(audience || (isPlain ? usual : url))}/.default` }
}

function parsed(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw badEndpoint(`AZURE_RESOURCE_MANAGER_ENDPOINT is ${url}, which is no URL; write it like ${usual}.`)
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function badEndpoint(message: string): CloudError {
  return new CloudError('denied', { code: 'BadEndpoint', message })
}
