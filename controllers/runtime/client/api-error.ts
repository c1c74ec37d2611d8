export interface ApiErrorOptions {
  /** The HTTP status; 0 when there was no (usable) answer. */
  readonly status: number
  readonly reason: string
  readonly message: string
  readonly retryAfterMs?: number | undefined
}

/**
 * A refusal of the API server, or the lack of an answer. `reason` is that of the Status object ('NotFound', 'Conflict',
 * 'Expired', …), except 'FieldManagerConflict' for an apply that met fields of another manager. Without a Status object
 * it is:
 * - 'Unreachable': the connection failed or broke. A write may have been done.
 * - 'Timeout' with status 0: no answer within our deadline. A write may have been done.
 * - 'Silence': nothing came on a watch, not even a bookmark.
 * - 'Garbled': the answer is not in the API server's format.
 * - 'NoStatus': an HTTP error without a Status object, from a proxy or for a path that the API server does not serve.
 * - 'TooLarge': the answer is longer than our limit.
 * - 'NoToken': our own credentials could not be read.
 *
 * It never holds a header or a body.
 */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly retryAfterMs: number | undefined

  constructor({ status, reason, message, retryAfterMs }: ApiErrorOptions) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * The API server says that the object does not exist. A 404 from a proxy, or for a kind that is not served, is
 * something else.
 */
export const isNotFound = (error: unknown): boolean => is(error, 404, 'NotFound')
/** The object has changed since it was read, or a precondition failed. */
export const isConflict = (error: unknown): boolean => is(error, 409, 'Conflict')
export const isAlreadyExists = (error: unknown): boolean => is(error, 409, 'AlreadyExists')
/** Also after a failed test of a JSON patch. */
export const isInvalid = (error: unknown): boolean => is(error, 422, 'Invalid')
export const isForbidden = (error: unknown): boolean => is(error, 403)
export const isUnauthorized = (error: unknown): boolean => is(error, 401)
/** The resourceVersion or the page token is too old: everything has to be listed again. */
export const isGone = (error: unknown): boolean => is(error, 410)
/** There was no connection, or it broke. The API server may have done the request. */
export const isUnreachable = (error: unknown): boolean => is(error, 0, 'Unreachable') || is(error, 0, 'Timeout')
/** A watch was open, and nothing came for too long. */
export const isSilence = (error: unknown): boolean => is(error, 0, 'Silence')

/** The answer of the API server is longer than our limit. */
export const isTooLarge = (error: unknown): boolean => is(error, 0, 'TooLarge')

function is(error: unknown, status: number, reason?: string): boolean {
  return error instanceof ApiError && error.status === status && (reason === undefined || error.reason === reason)
}

/** Whether the API server refused the request. After any other failure the request may have been done. */
export function isDefinite(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}
