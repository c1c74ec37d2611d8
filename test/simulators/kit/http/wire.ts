import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createEitherServer, type Certificate } from './either-server.ts'

/** A request as it came over the wire: nothing of it is understood yet. */
export interface WireRequest {
  readonly method: string
  /** As it was sent, with its query string. */
  readonly target: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Where the caller found this server, for answers that lead back to it. */
  readonly origin: string
}

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Only so many bytes of the body come, though all are promised; then the connection ends. */
  readonly cutAt?: number
}

/** `cut`: the caller never learns what came of its call; the connection just ends. `reset`: not even in good order. */
export type WireReply = WireAnswer | 'cut' | 'reset'

export interface WireServer {
  readonly url: string
  close(): Promise<void>
}

export interface WireServerOptions {
  /** 0: any free port. */
  readonly port: number
  /** `left` fires when the caller goes before it has its answer. */
  readonly reply: (request: WireRequest, left: AbortSignal) => Promise<WireReply>
  /** A mistake in the simulator itself, never an answer of the simulated cloud. */
  readonly broken: (error: unknown) => void
  /** Left out: HTTP alone; else HTTPS as well, on the same port. */
  readonly certificate?: Certificate
}

/** Listens on 127.0.0.1 only: what is simulated is nobody else's business. */
export async function serve({ port, reply, broken, certificate }: WireServerOptions): Promise<WireServer> {
  const listener: RequestListener = (incoming, outgoing) => {
    answer(incoming, outgoing, reply).catch((error: unknown) => {
      broken(error)
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
      else outgoing.writeHead(500, { 'content-type': 'text/plain' }).end('The simulator failed; its log says why.\n')
    })
  }
  const server = certificate ? createEitherServer(certificate, listener) : createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, reply: WireServerOptions['reply']) {
  const target = incoming.url ?? '/'
  const url = new URL(target, 'http://127.0.0.1')
  let body: string
  try {
    body = await text(incoming)
  } catch {
    return // The caller left in the middle of its own request: there is nothing to do and nobody to tell.
  }
  const left = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort()
  })
  const request: WireRequest = {
    method: incoming.method ?? 'GET',
    target,
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body,
    origin: `${'encrypted' in incoming.socket ? 'https' : 'http'}://${incoming.headers.host ?? '127.0.0.1'}`,
  }
  const result = await reply(request, left.signal)
  if (result === 'cut') incoming.socket.destroy()
  else if (result === 'reset') incoming.socket.resetAndDestroy()
  else send(result, outgoing)
}

function send({ status, headers, body, cutAt }: WireAnswer, outgoing: ServerResponse): void {
  const bytes = Buffer.from(body)
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length })
  if (cutAt === undefined) outgoing.end(bytes)
  else outgoing.write(bytes.subarray(0, cutAt), () => outgoing.destroy())
}
