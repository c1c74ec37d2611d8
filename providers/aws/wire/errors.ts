import { CloudError } from '../../../api/cloud-error.ts'
import { inTable, shortened } from '../../errors.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import type { Reach } from '../../../api/rules/capacity/what-closes.ts'
import { kindByStatus } from '../../wire/kind-by-status.ts'
import { retryAfterMs } from '../../wire/retry-after.ts'

/** EC2's codes and their kinds. A code that is not here is one machine's transient error, never a stop for all. */
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

  // EC2's own faults: nobody knows whether the call was carried out.
  InternalError: 'ambiguous',
  InternalFailure: 'ambiguous',
  ServiceUnavailable: 'ambiguous',
  Unavailable: 'ambiguous',

  // Credentials and permissions.
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

  // Requests that can never succeed as they are.
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

  // Things that do not exist (any more, or are not visible yet).
  'InvalidInstanceID.NotFound': 'missing',
  'InvalidInstanceID.Malformed': 'invalid',
  InvalidInstanceID: 'invalid',

  // The token was used with other parameters, so the first instance exists.
  IdempotentParameterMismatch: 'conflict',
  // The instance of this token is terminated: nothing else comes of the token.
  IdempotentInstanceTerminated: 'ended',
  IncorrectInstanceState: 'conflict',
  OperationNotPermitted: 'conflict',
}

/** How far a lack of capacity with this code reaches. EC2 says `Unsupported` of a type that a zone does not have. */
export function reachOf(code: string): Reach {
  return code === 'Unsupported' ? 'unsold' : 'offering'
}

/** Codes in StateReason of an instance that EC2 accepted and then could not start. */
export const launchFailures: Readonly<Record<string, RefusalKind>> = {
  'Server.InsufficientInstanceCapacity': 'capacity',
  'Server.InternalError': 'transient',
  'Client.InternalError': 'invalid',
  'Client.VolumeLimitExceeded': 'quota',
  'Client.InvalidSnapshot.NotFound': 'invalid',
  'Client.InvalidKMSKey.InvalidState': 'invalid',
}

/** Codes in StateReason of a spot instance that EC2 has taken back. */
export const interruptions: ReadonlySet<string> = new Set([
  'Server.SpotInstanceTermination',
  'Server.SpotInstanceShutdown',
])

interface SdkError extends Error {
  /** The code of the socket where there was no answer: ECONNRESET and the like. */
  code?: string
  $metadata?: { httpStatusCode?: number }
  $response?: { headers?: Record<string, string> }
}

/** An error of the SDK as a CloudError. No message of EC2 has user data in it, and the request is never shown. */
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
