import { CloudError } from '../../api/cloud-error.ts'
import { inTable } from '../errors.ts'
import type { RefusalKind } from '../../api/refusal.ts'

/** Leads from a refusal of one cloud to the fields of ours that it is about. */
export interface FieldTable {
  /** Refusals of other kinds are not caused by a spec. */
  readonly kinds: readonly RefusalKind[]
  /** By code, for codes that can only mean these fields. */
  readonly byCode: Readonly<Record<string, string>>
  /** By the words of the message. The first row that fits counts. */
  readonly byMessage: readonly (readonly [RegExp, string])[]
}

/** Kinds of refusals that are caused by the spec of a machine or of its cluster. */
export const ofSpecs: readonly RefusalKind[] = ['invalid', 'reservation', 'price']

/** Fields of a spec as messages name them: `spec.vmSize of the AzureMachine`. */
export function fieldsOf(kind: string): (...fields: string[]) => string {
  return (...fields) => `${fields.map((field) => `spec.${field}`).join(', ')} of the ${kind}`
}

/** The field that the zone of a machine comes from, in every cloud. */
export const failureDomain = fieldsOf('Machine')('failureDomain')

/** The field that user data comes from, in every cloud. */
export const bootstrapData = `the bootstrap data (${fieldsOf('Machine')('bootstrap')})`

/**
 * Puts our names of the fields before the cloud's own words. A refusal that fits no row, or has our names already,
 * stays as it is.
 */
export function naming({ kinds, byCode, byMessage }: FieldTable): (error: CloudError) => CloudError {
  return (error) => {
    const { kind, code, message, retryAfterMs } = error
    const fields = inTable(byCode, code) ?? byMessage.find(([names]) => names.test(message))?.[1]
    if (!kinds.includes(kind) || fields === undefined || /^spec\.\w/.test(message)) return error
    return new CloudError(kind, { code, message: `${fields}: ${message}`, retryAfterMs, cause: error })
  }
}
