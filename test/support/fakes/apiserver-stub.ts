import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface StubRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly socket: Socket
}

/** Answers one request, or not, or halfway. */
export type Answer = (request: StubRequest, response: ServerResponse) => void

/** An HTTP server on a free port of 127.0.0.1 that answers as the test says and keeps what it was asked. */
export class ApiserverStub implements AsyncDisposable {
  readonly requests: StubRequest[] = []
  answer: Answer
  readonly #server: ReturnType<typeof createHttpServer>
  readonly #scheme: string

  constructor(answer: Answer, tls?: ServerOptions) {
    this.answer = answer
    const listener = (incoming: IncomingMessage, response: ServerResponse) => void this.#receive(incoming, response)
    this.#server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener)
    this.#scheme = tls ? 'https' : 'http'
  }

  static async start(answer: Answer, tls?: ServerOptions): Promise<ApiserverStub> {
    const stub = new ApiserverStub(answer, tls)
    await new Promise<void>((resolve) => stub.#server.listen(0, '127.0.0.1', resolve))
    return stub
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`
  }

  /** Stops listening and breaks every connection: the API server is away. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://stub')
    const request: StubRequest = {
      method: incoming.method ?? '',
      path,
      query,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      socket: incoming.socket,
    }
    this.requests.push(request)
    this.answer(request, response)
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** A refusal as the API server puts it. */
export function sendStatus(response: ServerResponse, code: number, reason: string, headers: object = {}): void {
  sendJson(response, statusOf(code, reason), code, headers)
}

export function statusOf(code: number, reason: string): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: `refused as ${reason}`, reason, code }
}

/** Begins a watch; the returned function sends one event. */
export function openWatch(response: ServerResponse): (type: string, object: unknown) => void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.flushHeaders()
  return (type, object) => {
    response.write(`${JSON.stringify({ type, object })}\n`)
  }
}
