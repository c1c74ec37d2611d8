import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ctx } from '../../../api/ctx.ts'
import { serveHttp, type BindAddress } from './serve-http.ts'

export interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Pages by path. Everybody who can reach the port can read them. */
export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>

const flag = '--metrics-bind-address'

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
    const handler = (request: IncomingMessage, response: ServerResponse) => void this.#answer(request, response, ctx)
    const onListening = () => this.#listening.resolve()
    await serveHttp({ handler, onListening, what: 'metrics and health', flag, address: this.#address }, ctx)
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
