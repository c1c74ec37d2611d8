import { Refusal, statusesOf } from '../../kit/http/refusal.ts'

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
export const statusOf = statusesOf({
  401: 'not_authorized token_missing token_invalid',
  404: 'not_found invalid_route',
  409: 'instance_delete_conflict invalid_state target_in_use virtual_network_interface_in_use volume_still_attached',
  412: 'precondition_failed',
  429: 'rate_limit_exceeded',
  500: 'internal_error internal_server_error',
  501: 'not_simulated',
  503: 'backend_service_unavailable service_manager_service_failure',
})

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
