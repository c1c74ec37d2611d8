import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ctx } from '../../api/ctx.ts'
import { cloudNames, type CloudName } from '../../api/scope.ts'
import { serveHttp, type BindAddress } from '../runtime/process/serve-http.ts'

export interface HintOptions {
  readonly address: BindAddress
  /** A file with the token that callers send. It is read for each hint, so a rotated token counts at once. */
  readonly tokenFile: string
  /** Lists at once. */
  readonly listNow: (cloud: CloudName, region: string) => void
}

/**
 * Takes hints over HTTP: something may have ended in this region, so the manager lists it at once. The body does not
 * count, and a hint proves nothing: the list does. So a forged hint costs one list, and no more than one a second.
 */
export async function serveHints(options: HintOptions, ctx: Ctx): Promise<void> {
  const token = new TokenFile(options.tokenFile)
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    // Nothing in the body is used.
    request.resume()
    void statusOf(request, { ...options, token }, ctx).then((status) => response.writeHead(status).end())
  }
  await serveHttp({ handler, what: 'hints', flag: '--hint-bind-address', address: options.address }, ctx)
}

async function statusOf(
  { method, url = '', headers }: IncomingMessage,
  { token, listNow }: HintOptions & { readonly token: TokenFile },
  ctx: Ctx,
): Promise<number> {
  if (!isAllowed(headers.authorization, await token.read(ctx))) return 401
  const [, name, region] = /^\/hint\/([a-z]{1,16})\/([a-z0-9-]{1,64})$/.exec(url) ?? []
  const cloud = cloudNames.find((one) => one === name)
  if (cloud === undefined || region === undefined) return 404
  if (method !== 'POST') return 405
  listNow(cloud, region)
  return 202
}

/** Compared by digest, so that neither the time nor the length tells anything of the token. */
function isAllowed(said: string | undefined, token: string | undefined): boolean {
  if (token === undefined || said === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(said), digest(`Bearer ${token}`))
}

/** The log has one line for each time that it becomes unreadable: anybody may send requests. */
class TokenFile {
  readonly #path: string
  #isReadable = true

  constructor(path: string) {
    this.#path = path
  }

  /** Undefined: without a token nobody is allowed. */
  async read({ log }: Ctx): Promise<string | undefined> {
    try {
      const token = (await readFile(this.#path, 'utf8')).trim()
      this.#isReadable = true
      return token === '' ? undefined : token
    } catch (error) {
      if (this.#isReadable) {
        log.warn('The file of --hint-token-file cannot be read, so every hint is refused', { error })
      }
      this.#isReadable = false
      return undefined
    }
  }
}
