import { Refusal, statusesOf } from '../../kit/http/refusal.ts'

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
export const statusOf = statusesOf({
  401: 'AuthenticationFailed ExpiredAuthenticationToken InvalidAuthenticationToken',
  403: 'AuthorizationFailed LinkedAuthorizationFailed RequestDisallowedByPolicy',
  404:
    'GalleryImageNotFound InvalidResourceNamespace InvalidResourceType NotFound ParentResourceNotFound ' +
    'PlatformImageNotFound ResourceGroupNotFound ResourceNotFound SubscriptionNotFound',
  405: 'HttpMethodNotAllowed',
  409:
    'AllocationFailed AttachDiskWhileBeingDetached Conflict ConflictingUserInput InvalidResourceLocation ' +
    'MaxPriceChangeNotAllowedForAllocatedVMs OperationNotAllowed OverconstrainedAllocationRequest ' +
    'OverconstrainedZonalAllocationRequest PropertyChangeNotAllowed QuotaExceeded ' +
    'ReadOnlyDisabledSubscription ScopeLocked SkuNotAvailable SpotPriceGreaterThanProvidedMaxPrice ' +
    'ZonalAllocationFailed',
  412: 'PreconditionFailed',
  415: 'UnsupportedMediaType',
  429: 'RetryableErrorDueToTooManyCalls SubscriptionRequestsThrottled TooManyRequests',
  500: 'InternalServerError InternalExecutionError InternalOperationError',
  501: 'NotSimulated',
  503: 'ServerBusy ServerTimeout ServiceUnavailable',
  504: 'GatewayTimeout',
})

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
