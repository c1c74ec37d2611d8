import { CloudError } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'

const code = 'ForeignAnswer'

/** Something else than the cloud has answered, such as a proxy, or the answer is of another call. It proves nothing. */
export class ForeignAnswer extends Error {
  constructor(message: string) {
    super(message)
    this.name = code
  }
}

/** The same as a CloudError. `kind`: 'transient' for a read, 'ambiguous' for a write that may have been carried out. */
export function foreignAnswer(kind: RefusalKind, message: string, cause?: unknown): CloudError {
  return new CloudError(kind, { code, message, cause })
}
