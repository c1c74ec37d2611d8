export interface ApiErrorOptions {
  /** The HTTP status; 0 when there was no (usable) answer. */
  readonly status: number
  readonly reason: string
  readonly message: string
  readonly retryAfterMs?: number | undefined
}

/**
 * What the API server refused, or why there was no answer. `reason` is that of its Status object ('NotFound',
 * 'Conflict', 'Expired', …), but 'FieldManagerConflict' when an apply met fields of another manager; where there is
 * none:
 * - 'Unreachable': the connection failed or broke. Whether a write was done is not known.
 * - 'Timeout' with status 0: no answer within our deadline. Not known either.
 * - 'Silence': a watch on which nothing came, not even a bookmark.
 * - 'Garbled': an answer that is not what the API server speaks.
 * - 'NoStatus': an HTTP error without a Status; from something between us and the API server, or for a path that
 *   it does not serve.
 * - 'TooLarge': an answer that is longer than we read.
 * - 'NoToken': our own credentials could not be had.
 *
 * Never holds a header or a body.
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
 * The API server says that there is no such object. A 404 of a proxy, or for a kind that is not served, is not that.
 */
export const isNotFound = (error: unknown): boolean => is(error, 404, 'NotFound')
/** The object has changed since it was read, or a precondition failed. */
export const isConflict = (error: unknown): boolean => is(error, 409, 'Conflict')
export const isAlreadyExists = (error: unknown): boolean => is(error, 409, 'AlreadyExists')
export const isUnauthorized = (error: unknown): boolean => is(error, 401)
/** The resourceVersion or the page token is too old: list anew. */
export const isGone = (error: unknown): boolean => is(error, 410)
/** No connection, or it broke: nothing is known of what the API server did. */
export const isUnreachable = (error: unknown): boolean => is(error, 0, 'Unreachable') || is(error, 0, 'Timeout')
/** A watch was open and said nothing for too long. */
export const isSilence = (error: unknown): boolean => is(error, 0, 'Silence')

/** The API server answered, at greater length than we read. */
export const isTooLarge = (error: unknown): boolean => is(error, 0, 'TooLarge')

function is(error: unknown, status: number, reason?: string): boolean {
  return error instanceof ApiError && error.status === status && (reason === undefined || error.reason === reason)
}

/** Whether the API server said that it was not done. Where it could not say, or was not heard, it may have been. */
export function isDefinite(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}
