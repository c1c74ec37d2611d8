import { request as overHttp, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Ctx } from '../../api/ctx.ts'
import { Deadline } from '../../api/deadline.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'

export interface Call {
  readonly method?: 'GET' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** From the call to the end of the answer. */
  readonly timeoutMs: number
  /** Certificates of authorities in PEM, for HTTPS. */
  readonly ca?: string
  /** The longest answer that is read. Left out: 64 KiB. */
  readonly mostBytes?: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Sends one request. Follows no redirect and uses no proxy: neither belongs between an instance and its metadata. */
export type Request = (call: Call, ctx: Ctx) => Promise<Answer>

const usualBytes = 64 * 1024

export const request: Request = async (call, ctx) => {
  const { method = 'GET', url, headers, body, timeoutMs, ca, mostBytes = usualBytes } = call
  using deadline = new Deadline(timeoutMs, () => new Error(`There was no answer within ${timeoutMs} ms.`), ctx)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const send = url.startsWith('https:') ? overHttps : overHttp
  const options = { method, headers, signal: deadline.signal, ...(ca === undefined ? {} : { ca }) }
  const outgoing = send(url, options, (incoming) => {
    const { statusCode: status = 0, headers: received } = incoming
    read(incoming, mostBytes).then((text) => resolve({ status, headers: received, body: text }), reject)
  })
  outgoing.on('error', reject)
  outgoing.end(body)
  return await unlessAborted(promise, deadline.signal)
}

async function read(incoming: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > mostBytes) throw new Error(`The answer has more than ${mostBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
