import { Refusal } from '../../kit/http/refusal.ts'
/** A refusal of EC2: its code, its sentence, and the HTTP status that goes with the code. */
export class Ec2Error extends Refusal {
  constructor(code: string, message: string, status: number = statusOf(code)) {
    super(code, message, status)
  }
}

/** Codes whose status is not 400. That a lack of capacity is a server error is EC2's way, and a trap. */
const statuses: Readonly<Record<string, number>> = {
  AuthFailure: 401,
  OptInRequired: 401,
  Blocked: 403,
  MissingAuthenticationToken: 403,
  UnauthorizedOperation: 403,
  DryRunOperation: 412,
  InsufficientAddressCapacity: 500,
  InsufficientCapacity: 500,
  InsufficientHostCapacity: 500,
  InsufficientInstanceCapacity: 500,
  InsufficientReservedInstanceCapacity: 500,
  InsufficientVolumeCapacity: 500,
  InternalError: 500,
  InternalFailure: 500,
  ServerInternal: 500,
  RequestLimitExceeded: 503,
  ServiceUnavailable: 503,
  Unavailable: 503,
}

export function statusOf(code: string): number {
  return statuses[code] ?? 400
}

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
