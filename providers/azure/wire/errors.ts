import { CloudError } from '../../../api/cloud-error.ts'
import { inTable } from '../../errors.ts'
import type { CapacityType } from '../../../api/offering.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import type { Reach } from '../../../api/rules/capacity/what-closes.ts'
import { kindByStatus } from '../../wire/kind-by-status.ts'
import { retryAfterMs } from '../../wire/retry-after.ts'
import { sentenceOf } from './sentence.ts'

/**
 * Azure's codes and their kinds, whether Azure refuses a call or a machine that it had accepted. A code that is not
 * here is one machine's transient error, never a stop for all.
 */
export const errorKinds: Readonly<Record<string, RefusalKind>> = {
  // The offering.
  SkuNotAvailable: 'capacity',
  AllocationFailed: 'capacity',
  ZonalAllocationFailed: 'capacity',
  OverconstrainedAllocationRequest: 'capacity',
  OverconstrainedZonalAllocationRequest: 'capacity',
  SpotPriceGreaterThanProvidedMaxPrice: 'price',
  SubnetIsFull: 'subnet',
  InsufficientSubnetSize: 'subnet',

  // The subscription. Too many processors have a code that means much else, too; see `wordings`.
  QuotaExceeded: 'quota',
  ResourceCountExceedsLimitDueToTemplate: 'quota',
  PublicIPCountLimitReached: 'quota',
  ResourceQuotaExceeded: 'quota',

  // The call rate.
  TooManyRequests: 'throttled',
  SubscriptionRequestsThrottled: 'throttled',
  RetryableErrorDueToTooManyCalls: 'throttled',

  // Azure's own faults: nobody knows whether the call was carried out.
  InternalServerError: 'ambiguous',
  InternalExecutionError: 'ambiguous',
  InternalOperationError: 'ambiguous',
  ServerBusy: 'ambiguous',
  ServerTimeout: 'ambiguous',
  ServiceUnavailable: 'ambiguous',
  GatewayTimeout: 'ambiguous',
  OperationTimedOut: 'ambiguous',

  // Errors that pass.
  AnotherOperationInProgress: 'transient',
  OperationPreempted: 'transient',
  ReferencedResourceNotProvisioned: 'transient',
  NicReservedForAnotherVm: 'transient',
  NicInUse: 'transient',
  AttachDiskWhileBeingDetached: 'transient',
  ResourceGroupBeingDeleted: 'transient',
  RetryableError: 'transient',

  // Credentials and permissions.
  AuthenticationFailed: 'denied',
  AuthenticationFailedInvalidHeader: 'denied',
  AuthorizationFailed: 'denied',
  LinkedAuthorizationFailed: 'denied',
  ExpiredAuthenticationToken: 'denied',
  InvalidAuthenticationToken: 'denied',
  InvalidAuthenticationTokenTenant: 'denied',
  SubscriptionNotFound: 'denied',
  InvalidSubscriptionId: 'denied',
  MissingSubscriptionRegistration: 'denied',
  ReadOnlyDisabledSubscription: 'denied',
  RequestDisallowedByPolicy: 'denied',
  DisallowedProvider: 'denied',
  InvalidSubscriptionRegistrationState: 'denied',
  MissingRegistrationForLocation: 'denied',
  RegionDoesNotAllowProvisioning: 'denied',
  SubscriptionNotRegistered: 'denied',
  ScopeLocked: 'denied',
  MarketplacePurchaseEligibilityFailed: 'denied',
  ResourcePurchaseValidationFailed: 'denied',
  AzureSpotFeatureNotEnabledForSubscription: 'denied',

  // Requests that can never succeed as they are.
  AmbiguousTagKeys: 'invalid',
  AzureSpotIsNotSupportedForThisVMSize: 'invalid',
  AzureSpotVMNotSupportedInAvailabilitySet: 'invalid',
  BadRequest: 'invalid',
  InvalidApiVersionParameter: 'invalid',
  InvalidGlobalResourceReference: 'invalid',
  InvalidResourceNamespace: 'invalid',
  InvalidResourceType: 'invalid',
  LinkedInvalidPropertyId: 'invalid',
  NoRegisteredProviderFound: 'invalid',
  PrivateIPAddressInReservedRange: 'invalid',
  PrivateIPAddressNotInSubnet: 'invalid',
  ReservedResourceName: 'invalid',
  SubnetsNotInSameVnet: 'invalid',
  EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines: 'invalid',
  FailedIdentityOperation: 'invalid',
  GalleryImageNotFound: 'invalid',
  ImageNotFound: 'invalid',
  InvalidAvailabilityZone: 'invalid',
  InvalidIdentityValues: 'invalid',
  InvalidImageReference: 'invalid',
  InvalidParameter: 'invalid',
  InvalidParameterValue: 'invalid',
  InvalidRequestContent: 'invalid',
  InvalidRequestFormat: 'invalid',
  InvalidResourceLocation: 'invalid',
  InvalidResourceName: 'invalid',
  InvalidResourceReference: 'invalid',
  InvalidTagName: 'invalid',
  InvalidTagNameCharacters: 'invalid',
  InvalidTagsCount: 'invalid',
  InvalidTagValue: 'invalid',
  LocationNotAvailableForResourceType: 'invalid',
  LocationRequired: 'invalid',
  MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines: 'invalid',
  MaxPriceValueInvalid: 'invalid',
  NotSupported: 'invalid',
  OSProvisioningClientError: 'invalid',
  PlatformImageNotFound: 'invalid',
  VMMarketplaceInvalidInput: 'invalid',
  VMPriorityCannotBeApplied: 'invalid',
  VMSizeIsNotPermittedToEnableAcceleratedNetworking: 'invalid',

  // The name is taken.
  ArtifactNotFound: 'invalid',
  Conflict: 'conflict',
  ConflictingUserInput: 'conflict',
  PreconditionFailed: 'conflict',
  PropertyChangeNotAllowed: 'conflict',

  // Things that do not exist (any more, or are not visible yet).
  NotFound: 'missing',
  ParentResourceNotFound: 'missing',
  ResourceGroupNotFound: 'missing',
  ResourceNotFound: 'missing',
}

/** With these Azure says that it found no host, for either market. */
const withoutHost: ReadonlySet<string> = new Set(['AllocationFailed', 'ZonalAllocationFailed'])

/**
 * How far a lack of capacity with this code reaches. `SkuNotAvailable` is how Azure says that it has no spot capacity.
 * On demand it says so of sizes that it does not sell there to this subscription.
 */
export function reachOf(code: string, capacityType: CapacityType): Reach {
  if (withoutHost.has(code)) return 'hardware'
  return code === 'SkuNotAvailable' && capacityType === 'OnDemand' ? 'unsold' : 'offering'
}

/** A code whose kind depends on Azure's sentence. */
interface Wording {
  readonly code: string
  readonly says: string
  readonly kind: RefusalKind
}

/** The first row that fits counts: a refusal of spot processors names the region's, too. */
export const wordings: readonly Wording[] = [
  { code: 'OperationNotAllowed', says: 'LowPriorityCores', kind: 'quota' },
  { code: 'OperationNotAllowed', says: 'Cores quota', kind: 'quota' },
  { code: 'OperationNotAllowed', says: 'maximum number of data disks', kind: 'invalid' },
]

export function isMissing(thrown: unknown): boolean {
  return thrown instanceof CloudError && thrown.kind === 'missing'
}

/** An answer that is no success. */
export interface Refused {
  readonly status: number
  readonly body: unknown
  readonly retryAfter: string | undefined
}

interface ErrorBody {
  readonly code?: unknown
  readonly message?: unknown
  readonly details?: readonly { readonly message?: unknown }[] | null
}

export function refusalOf({ status, body, retryAfter }: Refused): CloudError {
  const error = (body as { error?: ErrorBody } | null | undefined)?.error
  if (typeof error?.code !== 'string') return foreign(status)
  const { code } = error
  const sentences = [error.message, error.details?.[0]?.message].filter((one) => typeof one === 'string')
  const message = sentences.join(' ') || 'Azure gave no message.'
  return new CloudError(status === 429 ? 'throttled' : (kindOf(code, message) ?? kindByStatus(status)), {
    code,
    message: sentenceOf(message),
    retryAfterMs: retryAfterMs(retryAfter),
  })
}

function kindOf(code: string, message: string): RefusalKind | undefined {
  return inTable(errorKinds, code) ?? wordings.find((row) => row.code === code && message.includes(row.says))?.kind
}

/**
 * The answer of something else than Azure, such as a proxy. It proves nothing, least of all that something is missing.
 */
function foreign(status: number): CloudError {
  const kind = status === 429 ? 'throttled' : kindByStatus(status)
  return new CloudError(kind, {
    code: `HTTP${status}`,
    message: `The answer with HTTP ${status} does not come from Azure.`,
  })
}

/**
 * Why provisioning failed after Azure had accepted it. The outcome is known, so kinds that mean "unknown" or "wait"
 * become transient.
 */
export function failureOf(code: string | undefined, message: string | undefined): CloudError {
  const text = message || 'Azure could not provision the machine and does not say why.'
  const kind = code === undefined ? 'transient' : (kindOf(code, text) ?? 'transient')
  const isOpen = kind === 'ambiguous' || kind === 'throttled' || kind === 'missing' || kind === 'conflict'
  return new CloudError(isOpen ? 'transient' : kind, { code: code ?? 'ProvisioningFailed', message: sentenceOf(text) })
}

/** Any other failure as a CloudError. It shows no request, and so no user data. */
export function toCloudError(thrown: unknown): CloudError {
  if (thrown instanceof CloudError) return thrown
  const { code, name = 'Error' } = (thrown ?? {}) as { code?: unknown; name?: string }
  const what = typeof code === 'string' ? code : name
  // The library's message and error may contain the request or the answer, so neither is passed on.
  return new CloudError('ambiguous', { code: what, message: `Azure gave no answer that can be read (${what}).` })
}
