import { CloudError } from '../../../api/cloud-error.ts'
import { inTable, shortened } from '../../errors.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { kindByStatus } from '../../wire/kind-by-status.ts'
import { retryAfterMs } from '../../wire/retry-after.ts'

/** EC2's codes and what they mean to us. What is not here is one machine's transient error, never a stop for all. */
export const errorKinds: Readonly<Record<string, RefusalKind>> = {
  // The offering. EC2 answers some of these with HTTP 500.
  InsufficientInstanceCapacity: 'capacity',
  InsufficientCapacity: 'capacity',
  InsufficientHostCapacity: 'capacity',
  UnfulfillableCapacity: 'capacity',
  InsufficientVolumeCapacity: 'capacity',
  InsufficientAddressCapacity: 'capacity',
  InsufficientReservedInstanceCapacity: 'capacity',
  InsufficientCapacityOnHost: 'capacity',
  UnavailableHostRequirements: 'capacity',
  IncompatibleHostRequirements: 'capacity',
  Unsupported: 'capacity',
  SpotMaxPriceTooLow: 'price',
  InsufficientFreeAddressesInSubnet: 'subnet',

  // The account.
  VcpuLimitExceeded: 'quota',
  MaxSpotInstanceCountExceeded: 'quota',
  InstanceLimitExceeded: 'quota',
  MaxFleetCountExceeded: 'quota',
  VolumeLimitExceeded: 'quota',
  MaxIOPSLimitExceeded: 'quota',
  NetworkInterfaceLimitExceeded: 'quota',
  ResourceLimitExceeded: 'quota',

  // Reservations.
  ReservationCapacityExceeded: 'reservation',
  'InvalidCapacityReservationId.NotFound': 'reservation',
  InvalidCapacityReservationState: 'reservation',

  // The call rate.
  RequestLimitExceeded: 'throttled',
  Throttling: 'throttled',
  ThrottlingException: 'throttled',
  EC2ThrottledException: 'throttled',
  RequestThrottled: 'throttled',
  SlowDown: 'throttled',

  // EC2's own faults: whether something was done stays open.
  InternalError: 'ambiguous',
  InternalFailure: 'ambiguous',
  ServiceUnavailable: 'ambiguous',
  Unavailable: 'ambiguous',

  // Who we are and what we may.
  UnauthorizedOperation: 'denied',
  AuthFailure: 'denied',
  'AuthFailure.ServiceLinkedRoleCreationNotPermitted': 'denied',
  AccessDenied: 'denied',
  AccessDeniedException: 'denied',
  ExpiredToken: 'denied',
  RequestExpired: 'denied',
  InvalidClientTokenId: 'denied',
  UnrecognizedClientException: 'denied',
  SignatureDoesNotMatch: 'denied',
  MissingAuthenticationToken: 'denied',
  OptInRequired: 'denied',
  PendingVerification: 'denied',
  Blocked: 'denied',
  AccountDisabled: 'denied',
  CredentialsProviderError: 'denied',

  // What can never succeed as it is.
  'InvalidAMIID.NotFound': 'invalid',
  'InvalidAMIID.Malformed': 'invalid',
  'InvalidAMIID.Unavailable': 'invalid',
  InvalidParameter: 'invalid',
  InvalidParameterValue: 'invalid',
  InvalidParameterCombination: 'invalid',
  InvalidParameterDependency: 'invalid',
  MissingParameter: 'invalid',
  UnknownParameter: 'invalid',
  UnsupportedOperation: 'invalid',
  InvalidRequest: 'invalid',
  InvalidInput: 'invalid',
  ValidationError: 'invalid',
  'InvalidSubnetID.NotFound': 'invalid',
  'InvalidSubnetID.Malformed': 'invalid',
  'InvalidSubnetId.NotFound': 'invalid',
  InvalidSubnet: 'invalid',
  'InvalidGroup.NotFound': 'invalid',
  'InvalidSecurityGroupID.NotFound': 'invalid',
  'InvalidGroupId.Malformed': 'invalid',
  'InvalidSecurityGroupId.Malformed': 'invalid',
  'InvalidKeyPair.NotFound': 'invalid',
  'InvalidUserData.Malformed': 'invalid',
  InvalidBlockDeviceMapping: 'invalid',
  'InvalidSnapshot.NotFound': 'invalid',
  'InvalidPlacementGroup.Unknown': 'invalid',
  'InvalidPlacementGroupId.Malformed': 'invalid',
  InvalidTenancy: 'invalid',
  UnsupportedTenancy: 'invalid',
  'InvalidCapacityReservationId.Malformed': 'invalid',
  VolumeTypeNotAvailableInZone: 'invalid',
  UnknownVolumeType: 'invalid',
  BootForVolumeTypeUnsupported: 'invalid',
  EncryptedVolumesNotSupported: 'invalid',
  VolumeIOPSLimit: 'invalid',
  CustomerKeyHasBeenRevoked: 'invalid',
  AttachmentLimitExceeded: 'invalid',
  SecurityGroupsPerInterfaceLimitExceeded: 'invalid',
  SecurityGroupsPerInstanceLimitExceeded: 'invalid',
  SecurityGroupLimitExceeded: 'invalid',
  PrivateIpAddressLimitExceeded: 'invalid',
  'InvalidInterface.IpAddressLimitExceeded': 'invalid',
  TagLimitExceeded: 'invalid',
  TagPolicyViolation: 'invalid',
  'InvalidTagKey.Malformed': 'invalid',
  InvalidFilter: 'invalid',
  FilterLimitExceeded: 'invalid',

  // What is not there (any more, or not yet visible).
  'InvalidInstanceID.NotFound': 'missing',
  'InvalidInstanceID.Malformed': 'invalid',
  InvalidInstanceID: 'invalid',

  // The token was used with other parameters: so the first instance exists.
  IdempotentParameterMismatch: 'conflict',
  // Its instance is terminated: nothing else comes of this token.
  IdempotentInstanceTerminated: 'ended',
  IncorrectInstanceState: 'conflict',
  OperationNotPermitted: 'conflict',
}

/** Reasons that stand in StateReason of an instance which the cloud accepted and then could not start. */
export const launchFailures: Readonly<Record<string, RefusalKind>> = {
  'Server.InsufficientInstanceCapacity': 'capacity',
  'Server.InternalError': 'transient',
  'Client.InternalError': 'invalid',
  'Client.VolumeLimitExceeded': 'quota',
  'Client.InvalidSnapshot.NotFound': 'invalid',
  'Client.InvalidKMSKey.InvalidState': 'invalid',
}

/** Reasons with which EC2 says that it took a spot instance back. */
export const interruptions: ReadonlySet<string> = new Set([
  'Server.SpotInstanceTermination',
  'Server.SpotInstanceShutdown',
])

interface SdkError extends Error {
  /** Of the socket, where there was no answer: ECONNRESET and the like. */
  code?: string
  $metadata?: { httpStatusCode?: number }
  $response?: { headers?: Record<string, string> }
}

/** What the SDK threw, as a CloudError. User data stands in no message of EC2; the request itself is never shown. */
export function toCloudError(thrown: unknown): CloudError {
  if (thrown instanceof CloudError) return thrown
  const error = (thrown instanceof Error ? thrown : new Error('EC2 gave no message.')) as SdkError
  const status = error.$metadata?.httpStatusCode
  const code = (status === undefined ? error.code : undefined) ?? error.name
  return new CloudError(inTable(errorKinds, code) ?? kindByStatus(status), {
    code,
    message: shortened(error.message),
    retryAfterMs: retryAfterMs(error.$response?.headers?.['retry-after']),
  })
}
