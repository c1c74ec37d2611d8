import { Refusal } from '../../kit/http/refusal.ts'

/** What in a request was wrong. */
export interface Target {
  readonly name: string
  readonly type: 'field' | 'parameter' | 'header'
  readonly value?: string
}

/** A refusal of IBM Cloud: its code, its sentence, the HTTP status that goes with the code, and what was wrong. */
export class IbmError extends Refusal {
  readonly target: Target | undefined

  constructor(code: string, message: string, target?: Target) {
    super(code, message, statusOf(code))
    this.target = target
  }
}

/** Codes whose status is not 400. */
const statuses: Readonly<Record<string, number>> = {
  not_authorized: 401,
  token_missing: 401,
  token_invalid: 401,
  not_found: 404,
  invalid_route: 404,
  instance_delete_conflict: 409,
  invalid_state: 409,
  target_in_use: 409,
  virtual_network_interface_in_use: 409,
  volume_still_attached: 409,
  precondition_failed: 412,
  rate_limit_exceeded: 429,
  internal_error: 500,
  internal_server_error: 500,
  not_simulated: 501,
  backend_service_unavailable: 503,
  service_manager_service_failure: 503,
}

export function statusOf(code: string): number {
  return statuses[code] ?? 400
}

/** The codes of IAM, whose errors have a body of their own. */
export function isOfIam(code: string): boolean {
  return code.startsWith('BXNIM')
}

export function badField(name: string, message: string, value?: string): IbmError {
  return new IbmError('bad_field', message, { name, type: 'field', ...(value === undefined ? {} : { value }) })
}

export function badParameter(code: string, name: string, message: string, value?: string): IbmError {
  return new IbmError(code, message, { name, type: 'parameter', ...(value === undefined ? {} : { value }) })
}

export function notFound(what: string, id: string): IbmError {
  return new IbmError('not_found', `${what} not found`, { name: 'id', type: 'parameter', value: id })
}

export function invalidState(message: string): IbmError {
  return new IbmError('invalid_state', message)
}

/** IBM Cloud knows it; this simulator does not play it. Said aloud, because to ignore it would be to lie. */
export function notSimulated(what: string): IbmError {
  return new IbmError('not_simulated', `This simulator of IBM Cloud does not simulate ${what}.`)
}
