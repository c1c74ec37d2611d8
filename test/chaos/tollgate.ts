import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Pool } from 'undici'
import type { Connection } from '../../controllers/runtime/client/kubeconfig.ts'
import { secureContextOf } from '../../controllers/runtime/client/secure-context.ts'

/** A request that changes something. */
export interface Passing {
  readonly method: string
  readonly path: string
  readonly agent: string
  /** The parsed body; undefined without one, or if it is no JSON. */
  readonly body: unknown
}

/** Called before a request goes on to the API server, and before its answer goes back. */
export type Toll = (passing: Passing, when: 'before' | 'after') => Promise<'go' | 'drop'>

const host = '127.0.0.1'
/** For one connection only. Behind the gate our certificate counts, whoever the client is. */
const ofOneHop = new Set([
  'authorization',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'host',
  'content-length',
  'upgrade',
])

/** The options of a gate: target, certificate and callback. */
interface Setting {
  readonly upstream: Connection
  readonly serving: { readonly certPem: string; readonly keyPem: string }
  readonly toll: Toll
}

/**
 * Stands between a client and an API server, and uses the client's own certificate. It can cut the client off before a
 * write is done, or after it and before the answer.
 */
export class Tollgate implements AsyncDisposable {
  readonly #pool: Pool
  readonly #toll: Toll
  readonly #server: Server

  private constructor({ upstream, serving, toll }: Setting) {
    const connect = { secureContext: secureContextOf(upstream) }
    this.#pool = new Pool(upstream.server, { connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false })
    this.#toll = toll
    this.#server = createServer({ cert: serving.certPem, key: serving.keyPem }, (request, response) => {
      this.#pass(request, response).catch(() => response.destroy())
    })
  }

  static async start(setting: Setting): Promise<Tollgate> {
    const gate = new Tollgate(setting)
    await new Promise<void>((resolve, reject) => {
      gate.#server.once('error', reject).listen(0, host, resolve)
    })
    return gate
  }

  get url(): string {
    return `https://${host}:${(this.#server.address() as AddressInfo).port}`
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request
    const body = method === 'GET' ? undefined : await buffer(request)
    const passing = { method, path, agent: request.headers['user-agent'] ?? '', body: parsed(body) }
    if (body && (await this.#toll(passing, 'before')) === 'drop') return void response.destroy()
    const left = new AbortController()
    // A watch ends with its client. A write that has begun is completed even without its client.
    if (!body) response.once('close', () => left.abort())
    const answer = await this.#pool.request({
      method,
      path,
      headers: kept(request.headers),
      ...(body ? { body } : { signal: left.signal }),
    })
    // There is no client left to stop.
    const isAwaited = !request.socket.destroyed
    if (body && isAwaited && (await this.#toll(passing, 'after')) === 'drop') {
      await answer.body.dump()
      return void response.destroy()
    }
    response.writeHead(answer.statusCode, kept(answer.headers))
    response.flushHeaders()
    await pipeline(answer.body, response)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.#pool.destroy()
  }
}

function kept(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const all = Object.entries(headers).filter(([name, value]) => !ofOneHop.has(name) && value !== undefined)
  return Object.fromEntries(all) as Record<string, string | string[]>
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return body && JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
