import { hashed } from '../../kit/http/hashed.ts'
import type { Call } from '../../kit/http/journal.ts'
import type { Match } from '../../kit/http/routes.ts'
import type { WireRequest } from '../../kit/http/wire.ts'
import type { Action } from './action.ts'

export interface ArmCall extends Call {
  readonly request: WireRequest
  readonly match: Match<Action>
}

export function readCall(request: WireRequest, match: Match<Action>): ArmCall {
  const action = typeof match === 'object' ? match.action.name : `${request.method} ${request.path}`
  return { action, match, request, show: () => show(request, match) }
}

function show({ path, query, headers, body }: WireRequest, match: Match<Action>): Readonly<Record<string, unknown>> {
  const condition = headers['if-none-match'] ?? headers['if-match']
  return {
    path,
    ...(typeof match === 'object' ? match.place : {}),
    ...Object.fromEntries(query),
    ...(condition === undefined ? {} : { condition }),
    ...(body === '' ? {} : { body: shown(body) }),
  }
}

/** Custom data carries bootstrap tokens. */
const secrets = new Set([
  'adminPassword',
  'customData',
  'userData',
  'client_secret',
  'client_assertion',
  'protectedSettings',
])

function shown(body: string): unknown {
  try {
    return JSON.parse(body, (name, value: unknown) => (secrets.has(name) ? hashOf(value) : value)) as unknown
  } catch {
    const form = new URLSearchParams(body)
    return Object.fromEntries([...form].map(([name, value]) => [name, secrets.has(name) ? hashOf(value) : value]))
  }
}

function hashOf(value: unknown): string {
  return hashed(typeof value === 'string' ? value : JSON.stringify(value))
}
