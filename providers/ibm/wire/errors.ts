import { CloudError } from '../../../api/cloud-error.ts'
import { shortened } from '../../errors.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { notSent } from '../../wire/socket-codes.ts'
import { kindByStatus } from '../../wire/kind-by-status.ts'
import { retryAfterMs } from '../../wire/retry-after.ts'
import { ForeignAnswer, foreignAnswer } from '../../shared/foreign-answer.ts'
import { startFailures } from './reasons.ts'
import { NoReply, type Reply } from './transport.ts'

/** Codes of VPC and of IAM, and their kinds. A code that is not here is one machine's error, never a stop for all. */
export const errorKinds: Readonly<Record<string, RefusalKind>> = {
  // IBM is not known to refuse a create call for lack of capacity. If it does, then with these codes.
  ...startFailures,
  subnet_out_of_ip_addresses: 'subnet',

  // The account.
  over_quota: 'quota',
  instance_sec_volume_over_quota: 'quota',
  volume_attachment_over_quota: 'quota',
  volume_quota_reached: 'quota',

  // The call rate.
  rate_limit_exceeded: 'throttled',

  // IBM's own faults: nobody knows whether the call was carried out.
  internal_error: 'ambiguous',
  internal_server_error: 'ambiguous',
  internal_solution: 'ambiguous',
  backend_service_unavailable: 'ambiguous',
  service_manager_service_failure: 'ambiguous',
  service_error: 'ambiguous',
  iam_failure: 'ambiguous',

  // Credentials and permissions.
  not_authorized: 'denied',
  token_invalid: 'denied',
  token_missing: 'denied',
  account_disabled: 'denied',
  account_missing: 'denied',
  account_setup_incomplete: 'denied',
  account_type_invalid: 'denied',
  volume_encryption_key_not_authorized: 'denied',
  volume_resource_group_not_authorized: 'denied',
  BXNIM0415E: 'denied',

  // The name is taken, or the instance is on its way to another state.
  validation_unique_failed: 'conflict',
  instance_name_exists: 'conflict',
  duplicate_error: 'conflict',
  instance_delete_conflict: 'conflict',
  invalid_state: 'conflict',

  // Requests that can never succeed as they are.
  bad_field: 'invalid',
  bad_request: 'invalid',
  conflict_field: 'invalid',
  missing_field: 'invalid',
  invalid_value: 'invalid',
  invalid_request_field: 'invalid',
  invalid_id_format: 'invalid',
  invalid_zone: 'invalid',
  invalid_template: 'invalid',
  invalid_profile_error: 'invalid',
  invalid_security_group_id: 'invalid',
  field_no_longer_supported: 'invalid',
  http_request_size_exceeded: 'invalid',
  acl_rule_does_not_allow: 'invalid',
  instance_invalid_hostname: 'invalid',
  instance_too_many_keys: 'invalid',
  subnet_unknown_state: 'invalid',
  vpc_resource_separation: 'invalid',
  volume_capacity_max: 'invalid',
  volume_capacity_missing: 'invalid',
  volume_capacity_zero_or_negative: 'invalid',
  volume_crn_account_id_mismatch: 'invalid',
  volume_crn_cname_mismatch: 'invalid',
  volume_encryption_key_crn_invalid: 'invalid',
  volume_encryption_key_not_active: 'invalid',
  volume_iops_zero_or_negative: 'invalid',
  volume_profile_capacity_iops_invalid: 'invalid',
  volume_profile_invalid: 'invalid',
  volume_profile_iops_invalid: 'invalid',
  volume_profile_not_found: 'invalid',
  volume_resource_group_id_invalid: 'invalid',
  volume_resource_group_not_found: 'invalid',
  volume_template_invalid: 'invalid',

  // IBM does not know our version of the API (any more).
  missing_version: 'invalid',
  missing_generation_parameter: 'invalid',
  invalid_generation_parameter: 'invalid',
  invalid_version: 'invalid',
  invalid_version_range: 'invalid',
  version_not_supported: 'invalid',

  // Things that do not exist (any more, or are not visible yet), or that we may not see.
  not_found: 'missing',
}

/** A map, so that no word of IBM leads to a property that every object has. */
const kinds: ReadonlyMap<string, RefusalKind> = new Map(Object.entries(errorKinds))

/** Families of codes that IBM does not document in full. */
const families: readonly (readonly [RegExp, RefusalKind])[] = [
  [/over_quota|quota_(reached|exceeded)|^security_group_\w+_exceeded$/, 'quota'],
  [/^validation_(?!internal_error)/, 'invalid'],
  [/out_of_ip_addresses|insufficient_ips/, 'subnet'],
  // Of IAM, about the API key.
  [/^BXNIM/, 'denied'],
]

/** With these IBM says that the name is taken. */
export const nameTaken: ReadonlySet<string> = new Set([
  'validation_unique_failed',
  'instance_name_exists',
  'duplicate_error',
])

/** IBM's refusal. `isWrite`: of a call that changes something. */
export function toRefusal({ status, headers, body }: Reply, isWrite: boolean): CloudError {
  const said = decisive(errorsIn(body))
  const kind = said ? kindOfAnswer(said.code, status) : withoutWord(status)
  return new CloudError(kind === 'ambiguous' && !isWrite ? 'transient' : kind, {
    code: said?.code ?? `HTTP ${status}`,
    message: shortened(said?.message ?? `The answer with HTTP ${status} does not come from the API of IBM Cloud.`),
    retryAfterMs: retryAfterMs(headers['retry-after']),
  })
}

/** There is no usable answer. Without a connection nothing can have been done. */
export function toFailure(thrown: unknown, isWrite: boolean): CloudError {
  if (thrown instanceof CloudError) return thrown
  const kind = isWrite ? 'ambiguous' : 'transient'
  if (thrown instanceof NoReply) {
    return new CloudError(notSent.has(thrown.code) ? 'transient' : kind, { code: thrown.code, message: thrown.message })
  }
  if (thrown instanceof ForeignAnswer) return foreignAnswer(kind, thrown.message)
  return new CloudError(kind, { code: 'NoAnswer', message: 'The call failed in an unexpected way.' })
}

interface Said {
  readonly code: string
  readonly message: string
}

/** VPC's `{errors: [{code, message, target}]}`, or IAM's `{errorCode, errorMessage}`. */
function errorsIn(body: unknown): Said[] {
  if (typeof body !== 'object' || body === null) return []
  const { errors, errorCode, errorMessage } = body as Record<string, unknown>
  if (typeof errorCode === 'string' && errorCode !== '') {
    return [{ code: errorCode, message: typeof errorMessage === 'string' ? errorMessage : errorCode }]
  }
  return Array.isArray(errors) ? errors.flatMap(saidIn) : []
}

/** Some refusals quote another one as JSON in their message: `bad_field` about a `validation_unique_failed`. */
function saidIn(error: unknown): Said[] {
  const { code, message = code, target } = (error ?? {}) as { code?: unknown; message?: unknown; target?: unknown }
  if (typeof code !== 'string' || code === '' || typeof message !== 'string') return []
  const [, quoted] = /"code"\s*:\s*"(\w+)"/.exec(message) ?? []
  const [, words = message] = /"message"\s*:\s*"([^"\\]+)"/.exec(message) ?? []
  const outer = { code, message: withTarget(quoted ? words : message, target) }
  return quoted ? [{ ...outer, code: quoted }, outer] : [outer]
}

/** Names the field, but never its value: one field has the bootstrap data. */
function withTarget(message: string, target: unknown): string {
  const { name } = (target ?? {}) as { name?: unknown }
  if (typeof name !== 'string' || name === '') return message
  if (name.includes('user_data')) return 'IBM Cloud does not take the bootstrap data as user data.'
  return message.includes(name) ? message : `${name}: ${message}`
}

/** The first code of several that we know. */
function decisive(all: readonly Said[]): Said | undefined {
  return all.find(({ code }) => kindOf(code) !== undefined) ?? all[0]
}

function kindOf(code: string): RefusalKind | undefined {
  return kinds.get(code) ?? families.find(([family]) => family.test(code))?.[1]
}

/** IAM's own faults have codes of IAM too. */
function kindOfAnswer(code: string, status: number): RefusalKind {
  const kind = kindOf(code)
  return kind === undefined || (kind === 'denied' && status >= 500) ? kindByStatus(status, { 409: 'conflict' }) : kind
}

/** Without a code something else than IBM has answered. Only "too many calls" can be believed. */
function withoutWord(status: number): RefusalKind {
  return status === 429 ? 'throttled' : 'ambiguous'
}
