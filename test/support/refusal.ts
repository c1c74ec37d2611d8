import { CloudError } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'

export function refusal(kind: RefusalKind, code: string): CloudError {
  return new CloudError(kind, { code, message: `${code} said.` })
}
