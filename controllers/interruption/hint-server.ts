import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ctx } from '../../api/ctx.ts'
import { cloudNames, type CloudName } from '../../api/scope.ts'
import { MinuteLine } from '../shared/minute-line.ts'
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
  const refused = new MinuteLine((counts) => ctx.log.warn('Hints were refused', { counts }), ctx)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, why } = await statusOf(request, options)
    if (why !== undefined) refused.add(why)
    response.writeHead(status).end()
  }
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    // Nothing in the body is used.
    request.resume()
    void answer(request, response)
  }
  await serveHttp({ handler, what: 'hints', flag: '--hint-bind-address', address: options.address }, ctx)
}

interface Answer {
  readonly status: number
  /** Why it is refused, of a small set: anybody may send requests, and what they say never reaches the log. */
  readonly why?: string
}

async function statusOf(
  { method, url = '', headers }: IncomingMessage,
  { tokenFile, listNow }: HintOptions,
): Promise<Answer> {
  const token = await tokenIn(tokenFile)
  if (token === undefined) return { status: 401, why: 'the file of --hint-token-file is missing or empty' }
  if (!isAllowed(headers.authorization, token)) return { status: 401, why: 'wrong token' }
  const [, name, region] = /^\/hint\/([a-z]{1,16})\/([a-z0-9-]{1,64})$/.exec(url) ?? []
  const cloud = cloudNames.find((one) => one === name)
  if (cloud === undefined || region === undefined) return { status: 404, why: 'unknown path' }
  if (method !== 'POST') return { status: 405, why: 'no POST' }
  listNow(cloud, region)
  return { status: 202 }
}

/** Compared by digest, so that neither the time nor the length tells anything of the token. */
function isAllowed(said: string | undefined, token: string): boolean {
  if (said === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(said), digest(`Bearer ${token}`))
}

/** Undefined: without a token nobody is allowed. */
async function tokenIn(file: string): Promise<string | undefined> {
  const token = await readFile(file, 'utf8').catch(() => '')
  return token.trim() || undefined
}
