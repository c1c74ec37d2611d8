import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Ctx } from '../../../api/ctx.ts'

/** Where to listen. Without a host: on all addresses, because the kubelet uses the address of the pod. */
export interface BindAddress {
  readonly host?: string
  readonly port: number
}

export interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Pages by path. Everybody who can reach the port can read them. */
export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>

/** Serves pages over HTTP until ctx ends: GET and HEAD, without credentials. */
export class PageServer {
  readonly #pages: Pages
  readonly #address: BindAddress
  readonly #listening = Promise.withResolvers<void>()

  constructor(pages: Pages, address: BindAddress) {
    this.#pages = pages
    this.#address = address
  }

  listening(): Promise<void> {
    return this.#listening.promise
  }

  async run(ctx: Ctx): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response, ctx))
    await listen(server, this.#address)
    this.#listening.resolve()
    ctx.log.info('Serving metrics and health', { address: server.address() })
    const ended = Promise.withResolvers<void>()
    ctx.signal.addEventListener('abort', () => ended.resolve(), { once: true })
    if (ctx.signal.aborted) ended.resolve()
    await ended.promise
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  async #answer({ method, url = '/' }: IncomingMessage, response: ServerResponse, ctx: Ctx): Promise<void> {
    const page = await this.#page(method, url.split('?')[0] ?? '/', ctx)
    response.writeHead(page.status, { 'content-type': page.type, 'cache-control': 'no-store' })
    response.end(method === 'HEAD' ? undefined : page.body)
  }

  async #page(method: string | undefined, path: string, ctx: Ctx): Promise<Page> {
    const page = Object.hasOwn(this.#pages, path) ? this.#pages[path] : undefined
    if (!page) return plain(404, `There is ${Object.keys(this.#pages).join(', ')}.`)
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'These pages are for reading: use GET.')
    try {
      return await page()
    } catch (error) {
      ctx.log.error('A page could not be made', { path, error })
      return plain(500, 'The page could not be made; the log says why.')
    }
  }
}

function plain(status: number, sentence: string): Page {
  return { status, type: 'text/plain; charset=utf-8', body: `${sentence}\n` }
}

async function listen(server: Server, { host, port }: BindAddress): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve)
  try {
    await promise
  } catch (error) {
    const where = `${host ?? ''}:${port}`
    const why = error instanceof Error ? error.message : 'unknown'
    const message = `Metrics cannot be served on ${where} (${why}); choose another --metrics-bind-address, or 0 for none.`
    throw new Error(message, { cause: error })
  }
}
