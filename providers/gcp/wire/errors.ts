import { CloudError } from '../../../api/cloud-error.ts'
import { inTable, shortened } from '../../errors.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { kindByStatus } from '../../wire/kind-by-status.ts'
import { retryAfterMs } from '../../wire/retry-after.ts'
import type { GceOperation } from './documents.ts'

/**
 * GCE's codes and their kinds: first the codes with which it refuses a call (the `reason` of the error), then the codes
 * with which an accepted operation fails. A code that is not here is one machine's transient error, never a stop for
 * all.
 */
export const errorKinds: Readonly<Record<string, RefusalKind>> = {
  // The offering.
  resourcePoolExhausted: 'capacity',
  ZONE_RESOURCE_POOL_EXHAUSTED: 'capacity',
  ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS: 'capacity',
  REGION_RESOURCE_POOL_EXHAUSTED: 'capacity',
  RESOURCE_POOL_EXHAUSTED: 'capacity',
  STOCKOUT: 'capacity',
  insufficientCapacity: 'capacity',
  requestExceedsCapacity: 'capacity',
  // Taken back before it ran.
  PREEMPTED: 'capacity',
  INSUFFICIENT_CAPACITY: 'capacity',
  UNSUPPORTED_OPERATION: 'invalid',
  IP_SPACE_EXHAUSTED: 'subnet',
  IP_SPACE_EXHAUSTED_WITH_DETAILS: 'subnet',

  // The project.
  quotaExceeded: 'quota',
  QUOTA_EXCEEDED: 'quota',
  limitExceeded: 'quota',
  LIMIT_EXCEEDED: 'quota',

  // Reservations.
  RESERVATION_NOT_FOUND: 'reservation',
  RESERVATION_CAPACITY_EXCEEDED: 'reservation',
  RESERVATION_NOT_READY: 'reservation',

  // The call rate. GCE answers these with HTTP 403, like a missing permission.
  rateLimitExceeded: 'throttled',
  userRateLimitExceeded: 'throttled',
  concurrentLimitExceeded: 'throttled',
  dailyLimitExceeded: 'throttled',
  RATE_LIMIT_EXCEEDED: 'throttled',
  RESOURCE_EXHAUSTED: 'throttled',
  resourceOperationRateExceeded: 'throttled',
  RESOURCE_OPERATION_RATE_EXCEEDED: 'throttled',

  // GCE's own faults: nobody knows whether the call was carried out.
  internalError: 'ambiguous',
  backendError: 'ambiguous',
  backendNotConnected: 'ambiguous',
  INTERNAL: 'ambiguous',
  UNAVAILABLE: 'ambiguous',
  DEADLINE_EXCEEDED: 'ambiguous',
  // Of an operation: it has ended without an effect.
  INTERNAL_ERROR: 'transient',
  OPERATION_CANCELED_BY_USER: 'transient',

  // Credentials and permissions.
  authError: 'denied',
  expired: 'denied',
  forbidden: 'denied',
  insufficientPermissions: 'denied',
  accessNotConfigured: 'denied',
  accountDisabled: 'denied',
  billingNotEnabled: 'denied',
  PERMISSION_DENIED: 'denied',
  UNAUTHENTICATED: 'denied',
  SERVICE_DISABLED: 'denied',
  PERMISSIONS_ERROR: 'denied',
  PROJECT_NOT_FOUND: 'denied',
  // A constraint of the organization, such as "no public addresses".
  conditionNotMet: 'denied',
  CONDITION_NOT_MET: 'denied',

  // Requests that can never succeed as they are.
  invalid: 'invalid',
  invalidParameter: 'invalid',
  badRequest: 'invalid',
  required: 'invalid',
  parseError: 'invalid',
  fieldSizeTooLarge: 'invalid',
  uploadTooLarge: 'invalid',
  unsupportedOperation: 'invalid',
  INVALID_ARGUMENT: 'invalid',
  FAILED_PRECONDITION: 'invalid',
  INVALID_FIELD_VALUE: 'invalid',
  FIELD_SIZE_TOO_LARGE: 'invalid',
  MISSING_REQUIRED_FIELD: 'invalid',
  NETWORK_NOT_FOUND: 'invalid',
  INVALID_USAGE: 'invalid',
  RESOURCE_NOT_FOUND: 'invalid',
  INVALID_RESERVATION: 'invalid',

  // Things that do not exist (any more, or are not visible yet).
  notFound: 'missing',
  NOT_FOUND: 'missing',

  // Things that exist already, are in use, or are not ready.
  alreadyExists: 'conflict',
  ALREADY_EXISTS: 'conflict',
  RESOURCE_ALREADY_EXISTS: 'conflict',
  conflict: 'conflict',
  resourceInUseByAnotherResource: 'conflict',
  RESOURCE_IN_USE_BY_ANOTHER_RESOURCE: 'conflict',
  resourceNotReady: 'transient',
  RESOURCE_NOT_READY: 'transient',
}

/** Refusals without a code of their own, told apart by GCE's captured wording. */
const byMessage: readonly { readonly says: RegExp; readonly kind: RefusalKind }[] = [
  { says: /failed to start due to preemption/i, kind: 'capacity' },
  { says: /'projects\/[^/']+' was not found|^Failed to find project|^Unknown project/, kind: 'denied' },
  { says: /^Specified reservations? .+ (do not exist|does not have available resources)/, kind: 'reservation' },
]

/** An answer of GCE that is no success. */
export interface Refusal {
  readonly status: number
  readonly body: string
  readonly retryAfter?: string | undefined
}

interface ErrorBody {
  readonly message?: unknown
  readonly status?: unknown
  readonly errors?: readonly { readonly reason?: unknown }[]
}

/** `now`: by the wall clock, in whose minutes GCE counts calls. */
export function refusalError({ status, body, retryAfter }: Refusal, now: number): CloudError {
  const error = errorIn(body)
  const code = textOf(error?.errors?.[0]?.reason) ?? textOf(error?.status) ?? `HTTP${status}`
  const message = shown(textOf(error?.message) ?? `HTTP ${status}, and what answered says no more.`)
  const kind = kindOf({ status, code, message })
  const asked = retryAfterMs(retryAfter)
  const wait = kind === 'throttled' ? Math.max(asked ?? 0, untilNextMinute(now)) : asked
  return new CloudError(kind, { code, message, retryAfterMs: wait })
}

/** Any other failure as a CloudError. It shows nothing of the request. */
export function toCloudError(thrown: unknown): CloudError {
  if (thrown instanceof CloudError) return thrown
  return new CloudError('ambiguous', { code: 'NoAnswer', message: 'The call to GCE failed in an unexpected way.' })
}

/** The failure of an accepted operation; undefined for one that has not failed. */
export function operationError({ error }: GceOperation): CloudError | undefined {
  const [first] = error?.errors ?? []
  if (!first) return undefined
  const { code = 'UNKNOWN' } = first
  const message = shown(first.message ?? 'GCE says no more.')
  return new CloudError(byMessageOf(message) ?? inTable(errorKinds, code) ?? 'transient', { code, message })
}

function kindOf({ status, code, message }: { status: number; code: string; message: string }): RefusalKind {
  // GCE says `required` of a call without credentials, as of a missing field.
  if (status === 401) return 'denied'
  return byMessageOf(message) ?? inTable(errorKinds, code) ?? kindByStatus(status)
}

function byMessageOf(message: string): RefusalKind | undefined {
  return byMessage.find(({ says }) => says.test(message))?.kind
}

function errorIn(body: string): ErrorBody | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'object' && error !== null ? error : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function untilNextMinute(now: number): number {
  return 60_000 - (now % 60_000)
}

/** GCE repeats a value that it refuses. A value of the metadata is the bootstrap data, and must not be shown. */
function shown(message: string): string {
  const field = /'resource\.metadata[^']*'/.exec(message)?.[0]
  return shortened(field ? `GCE refuses the value of the field ${field}.` : message.replaceAll(/\s+/g, ' ').trim())
}
