import { CloudError } from '../errors.ts'

/** What can never be asked for as it stands: the field, what is wrong with it, and what to do. */
export function invalid(message: string): CloudError {
  return new CloudError('invalid', { code: 'InvalidSpec', message })
}
