import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Pool } from 'undici'
import type { Connection } from '../../controllers/runtime/client/kubeconfig.ts'
import { secureContextOf } from '../../controllers/runtime/client/secure-context.ts'

/** A request that changes something, as it goes by. */
export interface Passing {
  readonly method: string
  readonly path: string
  readonly agent: string
  /** Parsed; undefined where there is none or it is no JSON. */
  readonly body: unknown
}

/** Is asked before a request goes on to the API server, and before its answer goes back. */
export type Toll = (passing: Passing, when: 'before' | 'after') => Promise<'go' | 'drop'>

const host = '127.0.0.1'
/** Of one connection only; and whoever the client says to be, it is our certificate that counts behind the gate. */
const ofOneHop = new Set([
  'authorization',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'host',
  'content-length',
  'upgrade',
])

/** What a gate needs: whom it leads to, what it serves with, and whom it asks. */
interface Setting {
  readonly upstream: Connection
  readonly serving: { readonly certPem: string; readonly keyPem: string }
  readonly toll: Toll
}

/**
 * Stands between a client and an API server, speaks to the latter with the client's own certificate, and can cut the
 * client off before a write is done, or after it is done and before the client knows.
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
    // A watch ends when its watcher goes; a write that has begun is done, whoever is gone.
    if (!body) response.once('close', () => left.abort())
    const answer = await this.#pool.request({
      method,
      path,
      headers: kept(request.headers),
      ...(body ? { body } : { signal: left.signal }),
    })
    // Nobody is there any more whom it could stop.
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
