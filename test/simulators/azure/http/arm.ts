import { randomUUID } from 'node:crypto'
import type { Failure } from '../../kit/faults/faults.ts'
import { Routes, type Match } from '../../kit/http/routes.ts'
import type { WireAnswer, WireRequest } from '../../kit/http/wire.ts'
import type { Account } from '../account.ts'
import type { Action, ArmRequest, Reply } from './action.ts'
import { authorityActions } from '../actions/authority.ts'
import { catalogueActions } from '../actions/catalogue.ts'
import { diskActions } from '../actions/disks.ts'
import { imageActions } from '../actions/images.ts'
import { networkInterfaceActions } from '../actions/network-interfaces.ts'
import { networkActions } from '../actions/networks.ts'
import { operationActions } from '../actions/operations.ts'
import { powerActions } from '../actions/power.ts'
import { publicAddressActions } from '../actions/public-addresses.ts'
import { resourceGroupActions } from '../actions/resource-groups.ts'
import { extensionActions } from '../actions/extensions.ts'
import { virtualMachineActions } from '../actions/virtual-machines.ts'
import { tooManyRequests } from './buckets.ts'
import { readCall, type ArmCall } from './call.ts'
import { ArmError, notSimulated, statusOf } from './errors.ts'
import { groupCalled } from '../groups.ts'

const routes = new Routes<Action>(
  [
    ...authorityActions,
    ...virtualMachineActions,
    ...extensionActions,
    ...powerActions,
    ...networkInterfaceActions,
    ...networkActions,
    ...publicAddressActions,
    ...diskActions,
    ...imageActions,
    ...catalogueActions,
    ...operationActions,
    ...resourceGroupActions,
  ],
  'loose',
)

export function understandCall(request: WireRequest): ArmCall {
  return readCall(request, routes.match(request.method, request.path))
}

/** Azure's own words for what can hit any call. */
export const armFailures = {
  throttle: tooManyRequests,
  serverErrors: [
    { code: 'InternalServerError', message: 'Encountered internal server error.', status: 500 },
    { code: 'ServiceUnavailable', message: 'The service is unavailable now. Try again later.', status: 503 },
    {
      code: 'GatewayTimeout',
      message: "The gateway did not receive a response from 'Microsoft.Compute' within the specified time period.",
      status: 504,
    },
  ],
} as const

/** Whether Azure looks at a call at all: who makes it, and how many before it. */
export function admitCall({ request, match }: ArmCall, { authority, buckets }: Account): void {
  const action = typeof match === 'object' ? match.action : undefined
  if (action && !action.versions) return
  authority.authenticate(request.headers.authorization)
  if (typeof match === 'object') buckets.admit(request.method, match.action.buckets ?? [], aboutWhat(match))
}

/** Does one call. */
export function answerCall({ request, match }: ArmCall, account: Account): WireAnswer {
  const { path, query, headers, body, origin } = request
  if (typeof match !== 'object') throw nowhere(match, request)
  const { action, place } = match
  if (action.versions) checkAddress(action, { place, path, query }, account)
  if (['PUT', 'PATCH'].includes(request.method)) checkMediaType(headers['content-type'])
  const reply = action.perform({ place, path, query, headers, body, origin }, account)
  const left = action.versions && account.buckets.remaining(request.method, action.buckets ?? [], aboutWhat(match))
  return written({ ...reply, headers: { ...left, ...reply.headers } })
}

/** The machine or the operation that has buckets of its own. */
function aboutWhat({ place }: Exclude<Match<Action>, string>): string {
  return place['name'] ?? place['operation'] ?? ''
}

/** What Azure's front door checks before a provider sees the call. */
function checkAddress(
  { versions = [] }: Action,
  { place, query, path }: Pick<ArmRequest, 'place' | 'query' | 'path'>,
  { world }: Account,
): void {
  if (query.getAll('api-version').length > 1) {
    throw new ArmError('InvalidApiVersionParameter', 'The api-version query parameter is given more than once.')
  }
  checkVersion(query.get('api-version'), versions, path)
  const { subscription = '', resourceGroup } = place
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(subscription)) {
    throw new ArmError(
      'InvalidSubscriptionId',
      `The provided subscription identifier '${subscription}' is malformed or invalid.`,
    )
  }
  if (subscription.toLowerCase() !== world.subscription) {
    throw new ArmError('SubscriptionNotFound', `The subscription '${subscription}' could not be found.`)
  }
  if (resourceGroup !== undefined && /\/providers\//i.test(path)) groupCalled(resourceGroup, world)
}

function checkVersion(version: string | null, known: readonly string[], path: string): void {
  if (version === null || version === '') {
    throw new ArmError(
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    )
  }
  if (known.includes(version)) return
  if (!/^\d{4}-\d{2}-\d{2}(-preview)?$/.test(version)) {
    throw new ArmError(
      'InvalidApiVersionParameter',
      `The api-version '${version}' is invalid. The supported versions are '${known.join(',')}'.`,
    )
  }
  const type = /\/providers\/[^/]+\/([^/]+)/i.exec(path)?.[1] ?? 'resourceGroups'
  throw new ArmError(
    'NoRegisteredProviderFound',
    `No registered resource provider found for API version '${version}' for type '${type}'. The supported api-versions ` +
      `are '${known.join(', ')}'.`,
  )
}

function checkMediaType(type: string | undefined): void {
  if (type !== undefined && /^application\/json\b/i.test(type)) return
  throw new ArmError(
    'UnsupportedMediaType',
    `The content media type '${type ?? '<null>'}' is not supported. Only 'application/json' is supported.`,
  )
}

function nowhere(match: 'method' | 'nowhere', { method, path }: { method: string; path: string }): ArmError {
  if (match === 'method') {
    return new ArmError('HttpMethodNotAllowed', `The HTTP method '${method}' is not supported at this address.`)
  }
  const [, namespace] = /\/providers\/([^/]+)/i.exec(path) ?? []
  if (namespace !== undefined && !/^microsoft\.(compute|network|resources)$/i.test(namespace)) {
    return new ArmError('InvalidResourceNamespace', `The resource namespace '${namespace}' is invalid.`)
  }
  return notSimulated(`${method} ${path}`)
}

/** Whether the answer is the last page of several. */
export function endsList({ request }: ArmCall, { status, body }: WireAnswer): boolean {
  return request.query.has('$skiptoken') && status === 200 && !body.includes('"nextLink"')
}

export function refusal(failure: Failure): WireAnswer {
  const { code, message, status = statusOf(code) } = failure
  const headers = status === 429 ? { 'retry-after': '1' } : {}
  return errorAnswer(failure instanceof ArmError ? failure : new ArmError(code, message, { status, headers }))
}

export function codeOf({ status, body }: WireAnswer): string | undefined {
  return status < 400 ? undefined : /"(?:code|error)":"([^"]*)"/.exec(body)?.[1]
}

function errorAnswer({ code, message, status, target, details, headers }: ArmError): WireAnswer {
  return written({
    status,
    headers,
    body: {
      error: {
        code,
        message,
        ...(target === undefined ? {} : { target }),
        ...(details === undefined ? {} : { details }),
      },
    },
  })
}

function written({ status, body, headers = {} }: Reply): WireAnswer {
  const id = randomUUID()
  return {
    status,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      'cache-control': 'no-cache',
      'x-ms-request-id': id,
      'x-ms-correlation-request-id': id,
      ...headers,
    },
    body: body === undefined ? '' : JSON.stringify(body),
  }
}
