import { randomUUID } from 'node:crypto'
import type { Failure } from '../../kit/faults/faults.ts'
import { Routes } from '../../kit/http/routes.ts'
import type { WireAnswer, WireRequest } from '../../kit/http/wire.ts'
import type { Account } from '../account.ts'
import type { Action, Answer } from './action.ts'
import { floatingIpActions } from '../actions/floating-ips.ts'
import { imageActions } from '../actions/images.ts'
import { instanceProfileActions } from '../actions/instance-profiles.ts'
import { instanceActions } from '../actions/instances.ts'
import { networkActions } from '../actions/networks.ts'
import { placeActions } from '../actions/places.ts'
import { reservationActions } from '../actions/reservations.ts'
import { getToken } from '../actions/token.ts'
import { virtualNetworkInterfaceActions } from '../actions/virtual-network-interfaces.ts'
import { volumeActions } from '../actions/volumes.ts'
import { rateLimitExceeded } from './buckets.ts'
import { readCall, type IbmCall } from './call.ts'
import { createInstance } from '../launch/action.ts'
import { IbmError, isOfIam, statusOf, type Target } from './errors.ts'
import { checkVersion } from './version.ts'

const routes = new Routes<Action>([
  getToken,
  createInstance,
  ...instanceActions,
  ...instanceProfileActions,
  ...imageActions,
  ...networkActions,
  ...placeActions,
  ...volumeActions,
  ...virtualNetworkInterfaceActions,
  ...floatingIpActions,
  ...reservationActions,
])

/** IBM's own words for what can hit any call. */
export const ibmFailures = {
  throttle: rateLimitExceeded,
  serverErrors: [
    { code: 'internal_error', message: 'An internal error occurred.' },
    { code: 'internal_server_error', message: 'An unexpected error occurred.' },
    { code: 'backend_service_unavailable', message: 'The back-end service is unavailable.' },
  ],
} as const

export function understandCall(request: WireRequest): IbmCall {
  return readCall(request, routes)
}

/** Whether IBM looks at a call at all: who makes it, and how many before it. */
export function admitCall({ found, request, action }: IbmCall, { tokens, buckets }: Account): void {
  if (found?.action.isOpen) return
  tokens.check(request.headers.authorization)
  if (found) buckets.admit(action)
}

/** Does one call. */
export function answerCall({ found, request }: IbmCall, account: Account): WireAnswer {
  if (!found) throw new IbmError('invalid_route', 'The requested route does not exist.')
  const version = found.action.isOpen ? '' : checkVersion(request.query, account.clock.now())
  const { region, accountId } = account.world
  const base = { url: `${request.origin}/v1`, region, accountId }
  const asked = { request, path: found.path, query: request.query, version, base }
  return jsonAnswer(found.action.answer(asked, account), request)
}

/** Some of IBM's services quote the refusal of another one. */
function worded(error: IbmError, { switches }: Account): IbmError {
  if (error.code !== 'validation_unique_failed' || switches.behaviour.nameTaken === 'plain') return error
  const { code, message, target } = error
  return new IbmError('bad_field', JSON.stringify({ errors: [{ code, message, target }] }), target)
}

export function refusal(failure: Failure, { request }: IbmCall, account: Account): WireAnswer {
  const { switches } = account
  const refused = failure instanceof IbmError ? worded(failure, account) : failure
  const { code, message, status = statusOf(code), target }: Failure & { readonly target?: Target | undefined } = refused
  const wait = switches.retryAfter ?? (status === 429 ? '1' : undefined)
  const headers = (status === 429 || status === 503) && wait !== undefined ? { 'retry-after': wait } : {}
  const trace = randomUUID()
  const moreInfo = `https://cloud.ibm.com/docs/vpc?topic=vpc-rias-error-messages#${code.replaceAll('_', '-')}`
  const body = isOfIam(code)
    ? { errorCode: code, errorMessage: message, context: { requestId: trace, requestType: 'incoming.Identity_Token' } }
    : { errors: [{ code, message, more_info: moreInfo, ...(target && { target }) }], trace, status_code: status }
  return jsonAnswer({ status, body, headers }, request)
}

export function codeOf({ status, body }: WireAnswer): string | undefined {
  if (status < 400) return undefined
  const { errors: [first] = [], errorCode } = JSON.parse(body) as { errors?: { code: string }[]; errorCode?: string }
  return first?.code ?? errorCode
}

/** Whether the answer is the last page of several. */
export function endsList({ request }: IbmCall, { status, body }: WireAnswer): boolean {
  if (!request.query.has('start') || status !== 200) return false
  return !('next' in (JSON.parse(body) as object))
}

/** The name of the call is the caller's, where it has given it one. */
function jsonAnswer({ status, body, headers }: Answer, request: WireRequest): WireAnswer {
  const given = request.headers['x-request-id']
  const common = { 'x-request-id': typeof given === 'string' ? given : randomUUID(), ...headers }
  if (body === undefined) return { status, headers: common, body: '' }
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers: { ...type, ...common }, body: `${JSON.stringify(body)}\n` }
}
