import type { RefusalKind } from './refusal.ts'

export interface CloudErrorOptions {
  /** The cloud's own code, as in its documentation. */
  code: string
  /** One sentence of the cloud. Adapters make sure that it contains neither user data nor credentials. */
  message: string
  /** How long the cloud asks the caller to wait. */
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** The longest text for a condition, event or log line, whatever a cloud or a tenant has put into a name. */
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
