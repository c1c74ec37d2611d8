import type { LabCloudName } from '../../lab/clouds/start.ts'
import type { Failure } from '../../simulators/kit/faults/faults.ts'

/** How one cloud denies a call. */
export interface Denial {
  /** The message about invalid credentials. */
  readonly unknown: RegExp
  /** HTTP 401: the identity is not accepted (any more). */
  readonly unauthorized: Failure
  /** HTTP 403: the identity lacks the permission. */
  readonly forbidden: Failure
}

export const denials: Readonly<Record<LabCloudName, Denial>> = {
  aws: {
    unknown: /AuthFailure: /,
    unauthorized: {
      code: 'AuthFailure',
      message: 'AWS was not able to validate the provided access credentials',
      status: 401,
    },
    forbidden: {
      code: 'UnauthorizedOperation',
      message: 'You are not authorized to perform this operation. Encoded authorization failure message: abc',
      status: 403,
    },
  },
  azure: {
    unknown: /AADSTS7000215: /,
    unauthorized: { code: 'InvalidAuthenticationToken', message: 'The access token is invalid.', status: 401 },
    forbidden: {
      code: 'AuthorizationFailed',
      message:
        "The client 'lab' with object id 'lab' does not have authorization to perform action " +
        "'Microsoft.Compute/virtualMachines/read' over scope '/subscriptions/s' or the scope is invalid. If access was " +
        'recently granted, please refresh your credentials.',
      status: 403,
    },
  },
  gcp: {
    unknown: /CredentialsNotUsable: .*GOOGLE_APPLICATION_CREDENTIALS/,
    unauthorized: {
      code: 'authError',
      message: 'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other.',
      status: 401,
    },
    forbidden: {
      code: 'forbidden',
      message: "Required 'compute.instances.list' permission for 'projects/spot-simulated'",
      status: 403,
    },
  },
  ibm: {
    unknown: /BXNIM0415E: Provided API key could not be found/,
    unauthorized: {
      code: 'not_authorized',
      message: 'The service token was expired or invalid.',
      status: 401,
    },
    forbidden: { code: 'not_authorized', message: 'The request is not authorized.', status: 403 },
  },
}
