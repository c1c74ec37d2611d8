import { Refusal, statusesOf } from '../../kit/http/refusal.ts'
/** A refusal of EC2: its code, its sentence, and the HTTP status that goes with the code. */
export class Ec2Error extends Refusal {
  constructor(code: string, message: string, status: number = statusOf(code)) {
    super(code, message, status)
  }
}

/** Codes whose status is not 400. That a lack of capacity is a server error is EC2's way, and a trap. */
export const statusOf = statusesOf({
  401: 'AuthFailure OptInRequired',
  403: 'Blocked MissingAuthenticationToken UnauthorizedOperation',
  412: 'DryRunOperation',
  500:
    'InsufficientAddressCapacity InsufficientCapacity InsufficientHostCapacity ' +
    'InsufficientInstanceCapacity InsufficientReservedInstanceCapacity InsufficientVolumeCapacity ' +
    'InternalError InternalFailure ServerInternal',
  503: 'RequestLimitExceeded ServiceUnavailable Unavailable',
})

export function invalidValue(message: string): Ec2Error {
  return new Ec2Error('InvalidParameterValue', message)
}

export function invalidCombination(message: string): Ec2Error {
  return new Ec2Error('InvalidParameterCombination', message)
}

export function missing(parameter: string): Ec2Error {
  return new Ec2Error('MissingParameter', `The request must contain the parameter ${parameter}`)
}

/** EC2 knows it; this simulator does not play it. Said aloud, because to ignore it would be to lie. */
export function notSimulated(what: string): Ec2Error {
  return new Ec2Error('UnsupportedOperation', `This simulator of EC2 does not simulate ${what}.`)
}
