import { hashed } from '../../kit/http/hashed.ts'
import type { Call } from '../../kit/http/journal.ts'
import type { WireRequest } from '../../kit/http/wire.ts'
import { routeOf, type Route } from './routes.ts'

/** A call of the compute API or, without a route, of the token endpoint or of something that is not there. */
export interface GceCall extends Call {
  readonly request: WireRequest
  readonly route: Route | undefined
}

export const tokenPath = '/token'
export const tokenAction = 'token'

export function readCall(request: WireRequest): GceCall {
  const route = routeOf(request.method, request.path)
  const action = request.path === tokenPath ? tokenAction : (route?.action.name ?? '')
  return { action, show: () => show(request, route), request, route }
}

const secret = new Set(['access_token', 'oauth_token', 'key'])

function show({ query, body, path }: WireRequest, route: Route | undefined): Readonly<Record<string, unknown>> {
  if (path === tokenPath) return { grant_type: new URLSearchParams(body).get('grant_type') ?? undefined }
  const asked = [...query].filter(([name]) => !secret.has(name))
  return { ...route?.parameters, ...Object.fromEntries(asked), ...(body !== '' && { body: shownBody(body) }) }
}

/** Metadata carries bootstrap tokens. */
function shownBody(body: string): unknown {
  try {
    return JSON.parse(body, (name, value: unknown) => (name === 'metadata' ? shownMetadata(value) : value))
  } catch {
    return hashed(body)
  }
}

function shownMetadata(metadata: unknown): unknown {
  const { items } = (metadata ?? {}) as { items?: unknown }
  if (!Array.isArray(items)) return {}
  return {
    items: (items as { key?: unknown; value?: unknown }[]).map(({ key, value }) => ({
      key,
      value: hashed(String(value)),
    })),
  }
}
