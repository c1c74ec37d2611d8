import type { Ctx } from '../../../api/ctx.ts'
import type { Say } from '../announcement.ts'
import type { Request } from '../request.ts'

/** Reads the announcements of a cloud until the signal fires. */
export type Source = (say: Say, ctx: Ctx) => Promise<void>

export interface Metadata {
  /** The metadata service, without a slash at the end. */
  readonly endpoint: string
  readonly request: Request
}

/** An answer that no metadata service gives, or that says that it is out of order. What was said before stands. */
export class BadMetadata extends Error {
  override readonly name = 'BadMetadata'
}

/** Parses a body. The text itself is not repeated: it may hold anything. */
export function jsonOf(body: string, what: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new BadMetadata(`${what} is not JSON.`)
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
