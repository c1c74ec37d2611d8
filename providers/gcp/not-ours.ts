import { CloudError } from '../errors.ts'
import type { Instance } from '../instances.ts'

export function notOurs({ id, name }: Instance): CloudError {
  const message =
    `Instance ${name} (${id}) does not carry the owner id, the machine and the attempt in its name and its labels; ` +
    'it is left alone.'
  return new CloudError('conflict', { code: 'NotOurs', message })
}
