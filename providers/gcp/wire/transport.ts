import { Pool } from 'undici'
import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { longestCallMs } from '../../wire/limits.ts'
import { notSent } from '../../wire/socket-codes.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

const connectTimeoutMs = 5_000
const mostConnections = 64
/** Far above a page of 500 instances. A server that never stops sending must not fill our memory. */
const mostAnswerBytes = 64 * 1024 * 1024

/** HTTP to one server. Repeats nothing. */
export class Transport {
  readonly #pool: Pool

  constructor({ origin }: URL) {
    this.#pool = new Pool(origin, {
      connections: mostConnections,
      // The Deadline of the call bounds the time.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: connectTimeoutMs },
      maxResponseSize: mostAnswerBytes,
    })
  }

  /**
   * Returns an answer of any status. Throws if there is none: 'transient', or 'ambiguous' if the call may have been
   * carried out.
   */
  async send(request: HttpRequest, ctx: Ctx): Promise<HttpAnswer> {
    using deadline = new Deadline(longestCallMs, () => new Error('GCE gave no answer in time.'), ctx)
    try {
      const answer = await this.#pool.request({ ...request, signal: deadline.signal })
      const retryAfter = answer.headers['retry-after']
      return {
        status: answer.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        body: await answer.body.text(),
      }
    } catch (thrown) {
      throw noAnswer(thrown, request, deadline)
    }
  }
}

/** Only the code of the cause is kept: an undici error may contain raw bytes of the answer. */
function noAnswer(thrown: unknown, { method }: HttpRequest, deadline: Deadline): CloudError {
  const cause = codeOf(thrown)
  const code = deadline.isOver ? 'Timeout' : deadline.signal.aborted ? 'GivenUp' : cause
  const message = deadline.isOver
    ? `GCE gave no answer within ${longestCallMs / 1_000} s.`
    : `GCE gave no answer (${code}).`
  const isHarmless = method === 'GET' || notSent.has(cause)
  return new CloudError(isHarmless ? 'transient' : 'ambiguous', { code, message })
}

function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null ? (thrown as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : 'NoAnswer'
}
