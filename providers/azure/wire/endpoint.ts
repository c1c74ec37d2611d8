import { addressIn, withoutSlash } from '../../wire/endpoint.ts'
import type { Environment } from '../variables.ts'

/** Azure's API, as the environment names it. */
export interface Endpoint {
  readonly url: string
  /** The scope of the tokens. */
  readonly tokenScope: string
  /** Plain HTTP to this machine: a simulator, or a proxy that speaks TLS for us. */
  readonly isPlain: boolean
}

const usual = 'https://management.azure.com'

/** Throws `CloudError` of kind 'denied' where a token would travel in the clear. */
export function endpointFrom({
  AZURE_RESOURCE_MANAGER_ENDPOINT: given,
  AZURE_RESOURCE_MANAGER_AUDIENCE: audience,
}: Environment): Endpoint {
  const address = addressIn('AZURE_RESOURCE_MANAGER_ENDPOINT', given || usual, usual)
  const url = withoutSlash(address.url)
  const isPlain = address.url.protocol === 'http:'
  const tokensFor = audience || (isPlain ? usual : url)
  return { url, isPlain, tokenScope: `${tokensFor.replace(/\/+$/, '')}/.default` }
}
