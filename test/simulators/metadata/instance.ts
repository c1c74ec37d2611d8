import type { Clock, Log } from '../../../api/ctx.ts'
import { silentLog } from '../kit/log.ts'
import { serve, type WireAnswer, type WireReply, type WireRequest } from '../kit/http/wire.ts'

/** The one instance whose metadata is served. */
export interface MetadataOptions {
  readonly clock: Clock
  readonly log?: Log
  /**
   * When the cloud takes the instance back, in milliseconds since the epoch. Undefined: it has announced nothing. The
   * simulated clouds have it as `control.takenBackAt(id)`.
   */
  readonly takenBackAt?: () => number | undefined
}

export interface MetadataServer<Control> {
  readonly url: string
  readonly control: Control & MetadataFaults
  /** Every request, by method and target. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

export interface MetadataFaults {
  /** Every answer is this one until `mend`; `cut`: there is none. */
  spoil(reply: WireReply): void
  mend(): void
}

type Serve = (request: WireRequest, left: AbortSignal) => WireAnswer | Promise<WireAnswer>

/** Listens on 127.0.0.1, where a real one has the address 169.254.169.254. */
export async function startMetadata<Control extends object>(
  answer: Serve,
  control: Control,
  log: Log = silentLog,
): Promise<MetadataServer<Control>> {
  let spoiled: WireReply | undefined
  const requests: string[] = []
  const closing = new AbortController()
  const server = await serve({
    port: 0,
    async reply(request, left) {
      requests.push(`${request.method} ${request.target}`)
      return spoiled ?? answer(request, AbortSignal.any([left, closing.signal]))
    },
    broken: (error) => log.error('The metadata service failed', { error: String(error) }),
  })
  const faults = {
    spoil: (reply: WireReply) => void (spoiled = reply),
    mend: () => void (spoiled = undefined),
  }
  return {
    url: server.url,
    control: { ...control, ...faults },
    requests,
    async close() {
      closing.abort()
      await server.close()
    },
  }
}

export function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): WireAnswer {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body }
}

export function json(status: number, value: unknown): WireAnswer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
}
