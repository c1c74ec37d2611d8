import type { RefusalKind } from '../../api/refusal.ts'

type Kinds = Readonly<Partial<Record<number, RefusalKind>>>

const usual: Kinds = { 401: 'denied', 403: 'denied', 429: 'throttled' }

/**
 * The kind of a refusal with a code that is new to us. `ofCloud` comes before the usual kinds. Without a status the
 * connection broke, so it is open whether the call was carried out.
 */
export function kindByStatus(status: number | undefined, ofCloud: Kinds = {}): RefusalKind {
  if (status === undefined || status >= 500) return 'ambiguous'
  return ofCloud[status] ?? usual[status] ?? 'transient'
}
