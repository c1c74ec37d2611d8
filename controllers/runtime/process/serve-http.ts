import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Ctx } from '../../../api/ctx.ts'

/** Where to listen. Without a host: on all addresses, because the kubelet uses the address of the pod. */
export interface BindAddress {
  readonly host?: string
  readonly port: number
}

export interface Served {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
  readonly onListening?: () => void
  /** For the log and the error: "metrics and health". */
  readonly what: string
  /** The option of the address. */
  readonly flag: string
  readonly address: BindAddress
}

/** Serves HTTP until ctx ends. Fails with a sentence if the address is taken. */
export async function serveHttp({ handler, onListening, what, flag, address }: Served, ctx: Ctx): Promise<void> {
  const server = createServer(handler)
  await listen(server, { what, flag, address })
  onListening?.()
  ctx.log.info(`Serving ${what}`, { address: server.address() })
  const ended = Promise.withResolvers<void>()
  ctx.signal.addEventListener('abort', () => ended.resolve(), { once: true })
  if (ctx.signal.aborted) ended.resolve()
  await ended.promise
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

async function listen(
  server: Server,
  { what, flag, address: { host, port } }: Pick<Served, 'what' | 'flag' | 'address'>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve)
  try {
    await promise
  } catch (error) {
    const where = `${host ?? ''}:${port}`
    const why = error instanceof Error ? error.message : 'unknown'
    const message = `No port for ${what} on ${where} (${why}); choose another ${flag}, or 0 for none.`
    throw new Error(message, { cause: error })
  }
}
