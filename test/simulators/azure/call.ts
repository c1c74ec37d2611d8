import { createHash } from 'node:crypto'
import type { Call } from '../kit/journal.ts'
import type { WireRequest } from '../kit/wire.ts'
import type { Match, Routes } from './routes.ts'

export interface ArmCall extends Call {
  readonly request: WireRequest
  readonly match: Match
}

export function readCall(request: WireRequest, routes: Routes): ArmCall {
  const match = routes.match(request.method, request.path)
  const action = typeof match === 'object' ? match.action.name : `${request.method} ${request.path}`
  return { action, match, request, show: () => show(request, match) }
}

function show({ path, query, headers, body }: WireRequest, match: Match): Readonly<Record<string, unknown>> {
  const condition = headers['if-none-match'] ?? headers['if-match']
  return {
    path,
    ...(typeof match === 'object' ? match.place : {}),
    ...Object.fromEntries(query),
    ...(condition === undefined ? {} : { condition }),
    ...(body === '' ? {} : { body: shown(body) }),
  }
}

/**
 * Custom data carries bootstrap tokens: of it, and of every secret, only what proves that two calls carried the same.
 */
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
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const hash = createHash('sha256').update(text).digest('hex')
  return `sha256:${hash} of ${text.length} characters`
}
