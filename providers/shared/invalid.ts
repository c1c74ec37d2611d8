import { CloudError } from '../../api/cloud-error.ts'

/** A spec that can never be met. The message names the field, what is wrong with it, and what to do. */
export function invalid(message: string): CloudError {
  return new CloudError('invalid', { code: 'InvalidSpec', message })
}

/** A rung on demand or spot can be bought on usual terms. A reservation has to be named by the spec. */
export function noReservation(field: string): CloudError {
  return invalid(`A rung with capacityType Reserved needs a reservation: set ${field}, or remove the rung.`)
}

/** Adds the field to the refusal of a lookup that was made for it. */
export async function inField<T>(field: string, lookup: Promise<T>): Promise<T> {
  try {
    return await lookup
  } catch (thrown) {
    if (!(thrown instanceof CloudError) || thrown.kind !== 'invalid') throw thrown
    throw new CloudError('invalid', { code: thrown.code, message: `${field}: ${thrown.message}`, cause: thrown })
  }
}
