import { hashed } from '../../kit/http/hashed.ts'
import type { Call } from '../../kit/http/journal.ts'
import type { Places, Routes } from '../../kit/http/routes.ts'
import type { WireRequest } from '../../kit/http/wire.ts'
import type { Action } from './action.ts'

/** A call of the REST API. */
export interface IbmCall extends Call {
  readonly request: WireRequest
  /** Undefined: there is no such address, or not with this method. */
  readonly found: { readonly action: Action; readonly path: Places } | undefined
}

/** Understands an address by the table of all actions. */
export function readCall(request: WireRequest, routes: Routes<Action>): IbmCall {
  const match = routes.match(request.method, request.path)
  if (typeof match !== 'object') {
    return { action: `${request.method} ${request.path}`, show: () => show(request, {}), request, found: undefined }
  }
  const { action, place } = match
  return { action: action.name, show: () => show(request, place), request, found: { action, path: place } }
}

/** Without credentials: nothing of API keys, and of user data, which carries bootstrap tokens, a hash. */
function show({ query, body, headers }: WireRequest, path: Places): Readonly<Record<string, unknown>> {
  const id = headers['x-request-id']
  const shown = { ...path, ...Object.fromEntries(query), ...(typeof id === 'string' ? { 'x-request-id': id } : {}) }
  if (body === '' || headers['content-type']?.includes('json') !== true) return shown
  try {
    return { ...shown, body: JSON.parse(body, hidden) as unknown }
  } catch {
    return { ...shown, body: `${body.length} characters that are no JSON` }
  }
}

function hidden(name: string, value: unknown): unknown {
  return name === 'user_data' && typeof value === 'string' ? hashed(value) : value
}
