import { CloudError } from '../../../api/cloud-error.ts'
import { addressIn, withoutSlash } from '../../wire/endpoint.ts'
import type { Variable } from '../variables.ts'

/** Where calls go. */
export interface Endpoint {
  /** Without a slash at its end. */
  readonly url: string
  /** On this machine: no proxy is on the way. */
  readonly isLocal: boolean
}

const names = {
  apiKey: 'IBMCLOUD_API_KEY',
  vpc: 'IBMCLOUD_VPC_API_ENDPOINT',
  iam: 'IBMCLOUD_IAM_API_ENDPOINT',
} as const satisfies Record<string, Variable>

/** The VPC API of a region, or what IBMCLOUD_VPC_API_ENDPOINT names, with or without `/v1`. */
export function vpcEndpoint(region: string): Endpoint {
  const given = process.env[names.vpc]
  if (given) return parse(names.vpc, given, '/v1')
  // The region may be a user's text, and our token goes to the host that is made of it.
  if (!/^[a-z]+(-[a-z0-9]+)+$/.test(region)) throw denied(`"${region}" is not a region of IBM Cloud; correct it.`)
  return { url: `https://${region}.iaas.cloud.ibm.com/v1`, isLocal: false }
}

/** IAM, or what IBMCLOUD_IAM_API_ENDPOINT names, with or without `/identity/token`. */
export function iamEndpoint(): Endpoint {
  return parse(names.iam, process.env[names.iam] || 'https://iam.cloud.ibm.com', '/identity/token')
}

export function apiKey(): string {
  const given = process.env[names.apiKey]
  if (given) return given
  throw denied(`${names.apiKey} is not set; set it to the API key of a service id with permissions for VPC.`)
}

function parse(variable: string, given: string, path: string): Endpoint {
  const { url, isLocal } = addressIn(variable, given, 'https://us-south.iaas.cloud.ibm.com/v1')
  const base = withoutSlash(url)
  return { url: base.endsWith(path) ? base : base + path, isLocal }
}

/** A person has to act. It is the fault of no machine. */
function denied(message: string): CloudError {
  return new CloudError('denied', { code: 'Misconfigured', message })
}
