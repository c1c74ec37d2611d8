import { BaseService, NoAuthAuthenticator } from 'ibm-cloud-sdk-core'
import { pathOf } from '../../wire/path.ts'
import type { Endpoint } from './endpoint.ts'

export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the endpoint, such as `['instances', '0717_x']`. */
  readonly path?: readonly string[]
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  /** One of the two. */
  readonly json?: object
  readonly form?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Any answer, a refusal too. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Undefined where it was no JSON. */
  readonly body: unknown
}

/** No answer, or an incomplete one. `code` is the socket's, where there is one. */
export class NoReply extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'NoReply'
    this.code = code
  }
}

/**
 * IBM's own HTTP client, so configured that it decides nothing: no retries (it would send a POST again), no redirects
 * (a POST would become a GET), every status is an answer. We get tokens by a call of our own. IBM's authenticator
 * cannot be cancelled, uses the machine's clock, and ends the process when a renewal in the background gets an answer
 * that is not IAM's.
 */
export class Transport extends BaseService {
  readonly #endpoint: Endpoint
  readonly #timeoutMs: number

  constructor(endpoint: Endpoint, timeoutMs: number) {
    super({
      authenticator: new NoAuthAuthenticator(),
      serviceUrl: endpoint.url,
      maxContentLength: 64 * 1024 * 1024,
      ...(endpoint.isLocal ? { proxy: false } : {}),
    })
    this.disableRetries()
    // With DEBUG set it would print whole bodies, with bootstrap data in them.
    const { request, response } = this.getHttpClient().interceptors
    request.clear()
    response.clear()
    this.#endpoint = endpoint
    this.#timeoutMs = timeoutMs
  }

  async send({ method, path = [], query, headers, json, form, signal }: Request): Promise<Reply> {
    const options = {
      method,
      url: path.length === 0 ? this.#endpoint.url : `${this.#endpoint.url}/${pathOf(path)}`,
      ...(query ? { qs: query } : {}),
      ...(json ? { body: json } : {}),
      ...(form ? { form } : {}),
      axiosOptions: {
        signal,
        timeout: this.#timeoutMs,
        maxRedirects: 0,
        validateStatus: () => true,
        // It must not parse the body: with malformed JSON it would lose the status.
        transformResponse: (text: unknown) => ({ text }),
      },
    }
    const defaultOptions = { serviceUrl: this.#endpoint.url, headers: { Accept: 'application/json', ...headers } }
    try {
      const answer = (await this.createRequest({ options, defaultOptions })) as Answer
      return { status: answer.status, headers: answer.headers, body: parse(answer.result.text) }
    } catch (thrown) {
      throw noReply(thrown)
    }
  }
}

interface Answer extends Pick<Reply, 'status' | 'headers'> {
  readonly result: { readonly text: unknown }
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function noReply(thrown: unknown): NoReply {
  const { statusText, message } = thrown as { statusText?: unknown; message?: unknown }
  const isOfSocket = typeof statusText === 'string' && /^E[A-Z_]+$/.test(statusText)
  const words = isOfSocket && typeof message === 'string' ? message : 'the answer was cut off'
  return new NoReply(isOfSocket ? statusText : 'NoAnswer', `There was no usable answer: ${words}.`)
}
