import { Pool, type Dispatcher } from 'undici'
import type { Ctx } from '../../../api/ctx.ts'
import { ApiError } from './api-error.ts'
import { unlessAborted } from '../../../api/unless-aborted.ts'
import { Deadline } from '../../../api/deadline.ts'
import type { Connection } from './kubeconfig.ts'
import { maxAnswerBytes, maxRefusalBytes, readText } from './answer.ts'
import { ReadingPace, type Rate } from './reading-pace.ts'
import { secureContextOf } from './secure-context.ts'
import { errorOfAnswer, retryAfterMs } from './status.ts'

export interface TransportOptions {
  readonly userAgent: string
  /** The deadline of one request, from the call to the last byte of the answer. */
  readonly timeoutMs: number
  /** An answer that is longer counts as too large. Default: 8 MiB. A stream has no limit. */
  readonly maxAnswerBytes?: ((request: Request) => number) | undefined
  /** Answers and streams are read no faster. Default: without limit. */
  readonly rate?: Rate | undefined
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With the query. */
  readonly path: string
  readonly body?: { readonly json: unknown; readonly type: string }
}

export interface StreamOptions {
  /** After this time without data the stream counts as dead. */
  readonly silenceMs: number
  /** Called when the server has accepted the request. */
  readonly onOpen?: (() => void) | undefined
}

/** The most requests at once. A storm of notices needs most of them. Watches have connections of their own. */
const maxConnections = 96
/** The error codes of a connection that the server had closed meanwhile. */
const staleCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** HTTP to one API server: TLS, token, deadline, errors. It retries only a GET on a connection that had gone stale. */
export class Transport {
  readonly #connection: Connection
  readonly #options: TransportOptions
  readonly #prefix: string
  readonly #pace: ReadingPace
  readonly #requests: Pool
  readonly #watches: Pool

  constructor(connection: Connection, options: TransportOptions) {
    const { origin, protocol, pathname } = new URL(connection.server)
    this.#connection = connection
    this.#options = options
    this.#pace = new ReadingPace(options.rate)
    this.#prefix = pathname.replace(/\/+$/, '')
    const pool = {
      // HTTP/1.1: a watch that stalls must not hold up the others on a shared connection.
      allowH2: false,
      // The Clock measures time: a Deadline ends every request, and every silent watch.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 30_000,
      connect: {
        keepAlive: true,
        keepAliveInitialDelay: 30_000,
        ...(protocol === 'https:' ? tlsOptions(connection) : {}),
      },
    }
    this.#requests = new Pool(origin, { ...pool, connections: maxConnections })
    this.#watches = new Pool(origin, pool)
  }

  /** Returns the text of a 2xx answer. Throws an ApiError for everything else, or the signal's reason. */
  async text(request: Request, ctx: Ctx): Promise<string> {
    const { timeoutMs } = this.#options
    using deadline = new Deadline(timeoutMs, () => noAnswer('Timeout', request, timeoutMs), ctx)
    const answer = await this.#answer(this.#requests, request, { signal: deadline.signal, ctx })
    try {
      const maxBytes = this.#options.maxAnswerBytes?.(request) ?? maxAnswerBytes
      const text = await readText(answer.body, { maxBytes, what: describe(request) })
      await this.#pace.took(text.length, ctx)
      return text
    } catch (error) {
      throw broken(error, request, deadline.signal)
    }
  }

  /** The bytes of an endless answer as they arrive. It ends when the server closes the stream properly. */
  async *stream(request: Request, { silenceMs, onOpen }: StreamOptions, ctx: Ctx): AsyncGenerator<Uint8Array> {
    using deadline = new Deadline(silenceMs, () => noAnswer('Silence', request, silenceMs), ctx)
    const { signal } = deadline
    const answer = await this.#answer(this.#watches, request, { signal, ctx })
    onOpen?.()
    try {
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
        await this.#pace.took(chunk.byteLength, { clock: ctx.clock, signal })
        deadline.restart()
        yield chunk
      }
    } catch (error) {
      throw broken(error, request, signal)
    }
  }

  /** Aborts all requests. */
  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#watches.destroy()])
  }

  async #answer(
    pool: Pool,
    request: Request,
    { signal, ctx }: { signal: AbortSignal; ctx: Ctx },
  ): Promise<Dispatcher.ResponseData> {
    const begun = ctx.clock.monotonic()
    const answer = await this.#request(pool, request, signal)
    const { statusCode: status, headers } = answer
    const ms = Math.round(ctx.clock.monotonic() - begun)
    ctx.log.trace('Asked the API server', { request: describe(request), status, ms })
    if (status >= 200 && status < 300) return answer
    const body = await readText(answer.body, { maxBytes: maxRefusalBytes, what: describe(request) }).catch(() => '')
    if (signal.aborted) throw signal.reason
    const wait = retryAfterMs(headers['retry-after'], ctx.clock.now())
    throw errorOfAnswer({ status, body, retryAfterMs: wait, what: describe(request) })
  }

  async #request(pool: Pool, request: Request, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const options = { ...(await this.#dispatch(request, signal)), signal }
    for (let first = true; ; first = false) {
      try {
        return await pool.request(options)
      } catch (error) {
        const stale = first && request.method === 'GET' && staleCodes.has(codeOf(error)) && !signal.aborted
        if (!stale) throw broken(error, request, signal)
      }
    }
  }

  async #dispatch({ method, path, body }: Request, signal: AbortSignal): Promise<Dispatcher.RequestOptions> {
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': this.#options.userAgent }
    const token = await this.#token(signal)
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    const options = { method, path: `${this.#prefix}${path}`, headers }
    if (!body) return options
    headers['content-type'] = body.type
    return { ...options, body: JSON.stringify(body.json) }
  }

  async #token(signal: AbortSignal): Promise<string | undefined> {
    const { token } = this.#connection
    if (!token) return undefined
    try {
      return await unlessAborted(Promise.resolve(token()), signal)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const message = error instanceof Error ? error.message : 'The token for the API server cannot be had.'
      throw new ApiError({ status: 0, reason: 'NoToken', message })
    }
  }
}

function tlsOptions(connection: Connection) {
  return {
    secureContext: secureContextOf(connection),
    rejectUnauthorized: connection.insecureSkipVerify !== true,
    ...(connection.serverName === undefined ? {} : { servername: connection.serverName }),
  }
}

/** Method and path without the query. */
function describe({ method, path }: Request): string {
  return `${method} ${path.replace(/\?.*$/s, '')}`
}

function noAnswer(reason: 'Timeout' | 'Silence', request: Request, ms: number): ApiError {
  const message =
    reason === 'Timeout'
      ? `No answer to ${describe(request)} within ${ms / 1000} s.`
      : `Nothing came on ${describe(request)} for ${ms / 1000} s; the connection counts as dead.`
  return new ApiError({ status: 0, reason, message })
}

/** Keeps only the message and the code of the cause: an undici error may hold raw bytes of the answer. */
function broken(error: unknown, request: Request, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof ApiError) return error
  const code = codeOf(error)
  const said = error instanceof Error ? error.message : ''
  const why = [said, said.includes(code) ? '' : code].filter((part) => part !== '').join(', ')
  const message = `The API server did not answer ${describe(request)}: ${why || 'the connection failed'}.`
  return new ApiError({ status: 0, reason: 'Unreachable', message })
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}
