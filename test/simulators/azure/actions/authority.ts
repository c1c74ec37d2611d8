import type { Account } from '../account.ts'
import { given, type Action, type ArmRequest, type Reply } from '../http/action.ts'

/** The audience of tokens for Azure's API, in both spellings. */
const audiences = ['https://management.azure.com', 'https://management.core.windows.net']

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

function token(request: ArmRequest, { world, authority }: Account): Reply {
  const form = new URLSearchParams(request.body)
  const field = (name: string) => form.get(name) ?? ''
  const tenant = given(request, 'tenant')
  if (tenant.toLowerCase() !== world.tenant) {
    return refusal(400, 'invalid_request', `AADSTS90002: Tenant '${tenant}' not found.`)
  }
  if (field('grant_type') !== 'client_credentials') {
    const message = `AADSTS70003: The grant type '${field('grant_type')}' is not supported here.`
    return refusal(400, 'unsupported_grant_type', message)
  }
  const client = field('client_id')
  if (client === '') return refusal(400, 'invalid_request', "AADSTS900144: The request must contain 'client_id'.")
  const audience = audienceOf(field('scope'), request.origin)
  if (audience === undefined) {
    const message = `AADSTS500011: The resource principal named ${field('scope')} was not found in the tenant.`
    return refusal(400, 'invalid_resource', message)
  }
  if (!hasAssertion(form) && !(form.has('client_secret') && authority.knows(client, field('client_secret')))) {
    const message = `AADSTS7000215: Invalid client secret provided. Ensure the secret being sent is right for app '${client}'.`
    return refusal(401, 'invalid_client', message)
  }
  const { token: accessToken, expiresIn } = authority.issue(client, audience)
  return {
    status: 200,
    body: { token_type: 'Bearer', expires_in: expiresIn, ext_expires_in: expiresIn, access_token: accessToken },
  }
}

/** A workload's own token in place of a secret. */
function hasAssertion(form: URLSearchParams): boolean {
  return form.get('client_assertion_type') === assertionType && (form.get('client_assertion') ?? '') !== ''
}

/** Clients ask for openid scopes beside the one that counts. */
function audienceOf(scope: string, origin: string): string | undefined {
  const wanted = scope.split(' ').flatMap((one) => /^(.*?)\/+\.default$/.exec(one)?.[1] ?? [])
  const known = [...audiences, origin, origin.replace('https:', 'http:')]
  return wanted.find((one) => known.includes(one))
}

function refusal(status: number, error: string, message: string): Reply {
  return {
    status,
    body: { error, error_description: message, error_codes: [Number(/AADSTS(\d+)/.exec(message)?.[1])] },
  }
}

function metadata({ place, origin }: ArmRequest): object {
  const base = `${origin}/${place['tenant']}`
  return {
    issuer: `${base}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    device_authorization_endpoint: `${base}/oauth2/v2.0/devicecode`,
    end_session_endpoint: `${base}/oauth2/v2.0/logout`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    tenant_region_scope: 'NA',
    cloud_instance_name: 'microsoftonline.com',
  }
}

/** Where tokens come from: not Azure's API, but asked by its clients before it. */
export const authorityActions: readonly Action[] = [
  { name: 'Authority_Token', method: 'POST', path: '/{tenant}/oauth2/v2.0/token', perform: token },
  {
    name: 'Authority_Metadata',
    method: 'GET',
    path: '/{tenant}/v2.0/.well-known/openid-configuration',
    perform: (request) => ({ status: 200, body: metadata(request) }),
  },
  {
    name: 'Authority_Discovery',
    method: 'GET',
    path: '/common/discovery/instance',
    perform({ origin }, { world }) {
      const { host } = new URL(origin)
      return {
        status: 200,
        body: {
          tenant_discovery_endpoint: `${origin}/${world.tenant}/v2.0/.well-known/openid-configuration`,
          'api-version': '1.1',
          metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
        },
      }
    },
  },
]
