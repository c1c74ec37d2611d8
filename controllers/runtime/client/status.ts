import { ApiError } from './api-error.ts'

/** The Status object of the API server: the fields that we read. */
interface Status {
  kind?: unknown
  message?: unknown
  reason?: unknown
  code?: unknown
  details?: { retryAfterSeconds?: unknown; causes?: unknown } | null
}

export interface Refusal {
  readonly status: number
  /** The text of the answer. */
  readonly body: string
  /** The header Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Method and path, for the message. */
  readonly what: string
}

/** The error for an answer that is not 2xx. A body that is not a Status object is not repeated. */
export function errorOfAnswer({ status, body, retryAfterMs, what }: Refusal): ApiError {
  const parsed = parse(body)
  if (isStatus(parsed)) return errorOfStatus(parsed, { status, retryAfterMs })
  const message = `The answer to ${what} was HTTP ${status} without a Status; it may come from a proxy, or the path is not served.`
  return new ApiError({ status, reason: 'NoStatus', message, retryAfterMs })
}

/** The object of an ERROR event on a watch. */
export function errorOfEvent(object: unknown): ApiError {
  if (!isStatus(object)) {
    return new ApiError({ status: 0, reason: 'Garbled', message: 'The watch reported an error without a Status.' })
  }
  return errorOfStatus(object, { status: typeof object.code === 'number' ? object.code : 500 })
}

function errorOfStatus(
  { message, reason, details }: Status,
  { status, retryAfterMs }: { status: number; retryAfterMs?: number | undefined },
): ApiError {
  const seconds = details?.retryAfterSeconds
  return new ApiError({
    status,
    reason: isFieldConflict(details?.causes) ? 'FieldManagerConflict' : (textOf(reason) ?? 'Unknown'),
    message: textOf(message) ?? `HTTP ${status}`,
    retryAfterMs: retryAfterMs ?? (typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined),
  })
}

/** The reason is 'Conflict' too, but reading again does not help: another manager owns the field. */
function isFieldConflict(causes: unknown): boolean {
  return (
    Array.isArray(causes) &&
    (causes as ({ reason?: unknown } | null)[]).some((cause) => cause?.reason === 'FieldManagerConflict')
  )
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && (value as Status).kind === 'Status'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds or a date; undefined where the header is missing or makes no sense. */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
