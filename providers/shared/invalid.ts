import { CloudError } from '../../api/cloud-error.ts'

/** What can never be asked for as it stands: the field, what is wrong with it, and what to do. */
export function invalid(message: string): CloudError {
  return new CloudError('invalid', { code: 'InvalidSpec', message })
}

/** Says which field the cloud speaks of when it refuses to look something up. */
export async function inField<T>(field: string, lookup: Promise<T>): Promise<T> {
  try {
    return await lookup
  } catch (thrown) {
    if (!(thrown instanceof CloudError) || thrown.kind !== 'invalid') throw thrown
    throw new CloudError('invalid', { code: thrown.code, message: `${field}: ${thrown.message}`, cause: thrown })
  }
}
