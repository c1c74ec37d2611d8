import { Refusal } from '../../kit/http/refusal.ts'

export interface ErrorDetail {
  readonly code: string
  readonly message: string
  readonly target?: string
}

interface ErrorOptions {
  /** Left out: the status that goes with the code. */
  readonly status?: number
  /** Which field of the request. */
  readonly target?: string
  readonly details?: readonly ErrorDetail[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal of Azure: its code, its sentence, and the HTTP status that goes with the code. */
export class ArmError extends Refusal {
  readonly target: string | undefined
  readonly details: readonly ErrorDetail[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: string,
    message: string,
    { status = statusOf(code), target, details, headers = {} }: ErrorOptions = {},
  ) {
    super(code, message, status)
    this.target = target
    this.details = details
    this.headers = headers
  }
}

/** Codes whose status is not 400. */
const statuses: Readonly<Record<string, number>> = {
  AuthenticationFailed: 401,
  ExpiredAuthenticationToken: 401,
  InvalidAuthenticationToken: 401,
  AuthorizationFailed: 403,
  LinkedAuthorizationFailed: 403,
  RequestDisallowedByPolicy: 403,
  GalleryImageNotFound: 404,
  InvalidResourceNamespace: 404,
  InvalidResourceType: 404,
  NotFound: 404,
  ParentResourceNotFound: 404,
  PlatformImageNotFound: 404,
  ResourceGroupNotFound: 404,
  ResourceNotFound: 404,
  SubscriptionNotFound: 404,
  HttpMethodNotAllowed: 405,
  AllocationFailed: 409,
  AttachDiskWhileBeingDetached: 409,
  Conflict: 409,
  ConflictingUserInput: 409,
  InvalidResourceLocation: 409,
  MaxPriceChangeNotAllowedForAllocatedVMs: 409,
  OperationNotAllowed: 409,
  OverconstrainedAllocationRequest: 409,
  OverconstrainedZonalAllocationRequest: 409,
  PropertyChangeNotAllowed: 409,
  QuotaExceeded: 409,
  ReadOnlyDisabledSubscription: 409,
  ScopeLocked: 409,
  SkuNotAvailable: 409,
  SpotPriceGreaterThanProvidedMaxPrice: 409,
  ZonalAllocationFailed: 409,
  PreconditionFailed: 412,
  UnsupportedMediaType: 415,
  RetryableErrorDueToTooManyCalls: 429,
  SubscriptionRequestsThrottled: 429,
  TooManyRequests: 429,
  InternalServerError: 500,
  InternalExecutionError: 500,
  InternalOperationError: 500,
  NotSimulated: 501,
  ServerBusy: 503,
  ServerTimeout: 503,
  ServiceUnavailable: 503,
  GatewayTimeout: 504,
}

export function statusOf(code: string): number {
  return statuses[code] ?? 400
}

export function invalidParameter(message: string, target: string): ArmError {
  return new ArmError('InvalidParameter', message, { target })
}

export function badRequest(message: string, target?: string): ArmError {
  return new ArmError('BadRequest', message, target === undefined ? {} : { target })
}

/** A reference in a request to something that is not there. */
export function invalidReference(what: string, by: string): ArmError {
  return new ArmError(
    'InvalidResourceReference',
    `Resource ${what} referenced by resource ${by} was not found. Please make sure that the referenced resource ` +
      'exists, and that both resources are in the same region.',
  )
}

/** Azure knows it; this simulator does not play it. Said aloud, because to ignore it would be to lie. */
export function notSimulated(what: string): ArmError {
  return new ArmError('NotSimulated', `This simulator of Azure does not simulate ${what}.`)
}
