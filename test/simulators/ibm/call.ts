import { createHash } from 'node:crypto'
import type { Call } from '../kit/journal.ts'
import type { WireRequest } from '../kit/wire.ts'
import type { Action } from './action.ts'

/** A call of the REST API. */
export interface IbmCall extends Call {
  readonly request: WireRequest
  /** Undefined: there is no such address, or not with this method. */
  readonly found: { readonly action: Action; readonly path: PathValues } | undefined
}

/** What stands in the address, by the names that the action gives to its places. */
export type PathValues = Readonly<Record<string, string>>

/** Understands an address by the table of all actions. */
export function readCall(request: WireRequest, actions: readonly Action[]): IbmCall {
  const segments = request.path.split('/').slice(1)
  for (const action of actions) {
    const path = action.method === request.method ? match(action.path.split('/').slice(1), segments) : undefined
    if (path) return { action: action.name, show: () => show(request, path), request, found: { action, path } }
  }
  const action = `${request.method} ${request.path}`
  return { action, show: () => show(request, {}), request, found: undefined }
}

function match(pattern: readonly string[], segments: readonly string[]): PathValues | undefined {
  if (pattern.length !== segments.length) return undefined
  const values: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    const given = segments[at] ?? ''
    if (expected.startsWith('{')) values[expected.slice(1, -1)] = decoded(given)
    else if (expected !== given) return undefined
  }
  return values
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Without credentials: of API keys nothing, of user data only what proves that two calls carried the same. */
function show({ query, body, headers }: WireRequest, path: PathValues): Readonly<Record<string, unknown>> {
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
  if (name !== 'user_data' || typeof value !== 'string') return value
  return `sha256:${createHash('sha256').update(value).digest('hex')} of ${value.length} characters`
}
