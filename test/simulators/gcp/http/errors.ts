import { Refusal, statusesOf } from '../../kit/http/refusal.ts'
import type { WireAnswer } from '../../kit/http/wire.ts'

/** A refusal of GCE: its reason, its sentence, and the HTTP status that goes with the reason. */
export class GceError extends Refusal {
  constructor(code: string, message: string, status: number = statusOf(code)) {
    super(code, message, status)
  }
}

/** Reasons whose status is not 400. That too many calls are a 403, like a missing permission, is a trap. */
export const statusOf = statusesOf({
  401: 'authError invalid_client',
  403: 'forbidden insufficientPermissions quotaExceeded rateLimitExceeded',
  404: 'notFound',
  409: 'alreadyExists conflict',
  412: 'conditionNotMet',
  413: 'fieldSizeTooLarge',
  500: 'internalError',
  501: 'notImplemented',
  503: 'backendError resourcePoolExhausted',
})

/** The codes of the token endpoint, whose answers look different. */
const oauthCodes = new Set([
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
])

const limits = new Set(['rateLimitExceeded', 'quotaExceeded'])

/** Names of gRPC that the front end puts beside its own refusals; the rest of GCE does without. */
const grpcNames: Readonly<Record<string, string>> = {
  authError: 'UNAUTHENTICATED',
  badRequest: 'INVALID_ARGUMENT',
  invalidParameter: 'INVALID_ARGUMENT',
  insufficientPermissions: 'PERMISSION_DENIED',
  rateLimitExceeded: 'PERMISSION_DENIED',
}

export function refusal({
  code,
  message,
  status = statusOf(code),
}: {
  readonly code: string
  readonly message: string
  readonly status?: number
}): WireAnswer {
  if (oauthCodes.has(code)) return jsonAnswer(status, { error: code, error_description: message })
  const grpc = status === 401 ? 'UNAUTHENTICATED' : grpcNames[code]
  return jsonAnswer(status, {
    error: {
      code: status,
      message,
      errors: [{ message, domain: limits.has(code) ? 'usageLimits' : 'global', reason: code }],
      ...(grpc && { status: grpc }),
    },
  })
}

export function codeOf({ status, body }: WireAnswer): string | undefined {
  if (status < 400) return undefined
  return (/"reason": "([^"]*)"/.exec(body) ?? /"error": "([^"]*)"/.exec(body))?.[1]
}

export function jsonAnswer(status: number, value: unknown): WireAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', server: 'ESF' },
    body: `${JSON.stringify(value, null, status < 400 ? undefined : 2)}\n`,
  }
}

/** What most refusals of GCE look like. `path`: such as `resource.machineType`. */
export function invalidValue(path: string, value: unknown, why: string): GceError {
  return new GceError('invalid', `Invalid value for field '${path}': '${String(value)}'. ${why}`)
}

export function required(path: string): GceError {
  return new GceError('required', `Required field '${path}' not specified`)
}

export function notFound(resource: string): GceError {
  return new GceError('notFound', `The resource '${resource}' was not found`)
}

export function alreadyExists(resource: string): GceError {
  return new GceError('alreadyExists', `The resource '${resource}' already exists`)
}

/** GCE knows it; this simulator does not play it. Said aloud, because to ignore it would be to lie. */
export function notSimulated(what: string): GceError {
  return new GceError('notImplemented', `This simulator of GCE does not simulate ${what}.`)
}
