import type { RefusalKind } from './refusal.ts'

export interface CloudErrorOptions {
  /** The cloud's own code, as it stands in its documents. */
  code: string
  /** One sentence of the cloud. Adapters see to it that neither user data nor credentials stand in it. */
  message: string
  /** How long the cloud asked us to wait. */
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** More no condition, event or log line has room for, whatever a cloud or somebody else has put into a name. */
const longestOfAll = 1_000

export class CloudError extends Error {
  readonly kind: RefusalKind
  readonly code: string
  readonly retryAfterMs: number | undefined

  constructor(kind: RefusalKind, { code, message, retryAfterMs, cause }: CloudErrorOptions) {
    super(message.slice(0, longestOfAll), { cause })
    this.name = 'CloudError'
    this.kind = kind
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
