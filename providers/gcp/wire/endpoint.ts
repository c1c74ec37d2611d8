import { addressIn } from '../../wire/endpoint.ts'
import type { Environment } from '../variables.ts'

const usual = 'https://compute.googleapis.com/compute/v1/'
const name = 'CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE' satisfies keyof Environment

/** Where the Compute Engine API is. Ends with a slash. */
export function endpointOf(environment: Environment): URL {
  const { url } = addressIn(name, environment[name] || usual, usual)
  const path = url.pathname.replace(/\/+$/, '')
  return new URL(`${path === '' ? '/compute/v1' : path}/`, url)
}
