import { CloudError } from '../../api/cloud-error.ts'
import { inTable } from '../errors.ts'
import type { RefusalKind } from '../../api/refusal.ts'

/** Which of our fields a cloud means when it refuses something. Each cloud has a table. */
export interface FieldTable {
  /** Refusals of other kinds are not about what people have written. */
  readonly kinds: readonly RefusalKind[]
  /** By the cloud's code, where it can only mean these fields. */
  readonly byCode: Readonly<Record<string, string>>
  /** By what the cloud names in its message, the first that fits. */
  readonly byMessage: readonly (readonly [RegExp, string])[]
}

/** Kinds of refusals that the spec of a machine, or of its cluster, brings about. */
export const ofSpecs: readonly RefusalKind[] = ['invalid', 'reservation', 'price']

/** Fields of the spec as people are told of them: `spec.vmSize of the AzureMachine`. */
export function fieldsOf(kind: string): (...fields: string[]) => string {
  return (...fields) => `${fields.map((field) => `spec.${field}`).join(', ')} of the ${kind}`
}

/** Where the zone of a machine comes from, whatever the cloud. */
export const failureDomain = fieldsOf('Machine')('failureDomain')

/** What a cloud calls user data, whatever its name for that. */
export const bootstrapData = `the bootstrap data (${fieldsOf('Machine')('bootstrap')})`

/**
 * Puts our names of the fields before the cloud's own words. What it cannot name, or what is named already, it leaves.
 */
export function naming({ kinds, byCode, byMessage }: FieldTable): (error: CloudError) => CloudError {
  return (error) => {
    const { kind, code, message, retryAfterMs } = error
    const fields = inTable(byCode, code) ?? byMessage.find(([names]) => names.test(message))?.[1]
    if (!kinds.includes(kind) || fields === undefined || /^spec\.\w/.test(message)) return error
    return new CloudError(kind, { code, message: `${fields}: ${message}`, retryAfterMs, cause: error })
  }
}
