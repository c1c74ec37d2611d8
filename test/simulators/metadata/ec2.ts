import { randomBytes } from 'node:crypto'
import type { WireAnswer, WireRequest } from '../kit/http/wire.ts'
import { plain, startMetadata, type MetadataOptions, type MetadataServer } from './instance.ts'

export interface ScheduledEvent {
  readonly Code: 'instance-reboot' | 'system-reboot' | 'system-maintenance' | 'instance-retirement' | 'instance-stop'
  readonly State: 'active' | 'completed' | 'canceled'
  readonly notBefore: number
}

export interface Ec2MetadataControl {
  /** EC2 recommends to replace the instance. */
  recommendRebalance(): void
  /** All scheduled events from now on. */
  schedule(events: readonly ScheduledEvent[]): void
  /** No token that was given out is accepted any more. */
  revokeTokens(): void
}

const root = '/latest/meta-data/'
const longestSeconds = 21_600

/** The instance metadata service of EC2 with version 2 required: each read needs a token. */
export function startEc2Metadata({
  clock,
  log,
  takenBackAt = () => undefined,
}: MetadataOptions): Promise<MetadataServer<Ec2MetadataControl>> {
  /** When each ends. */
  const tokens = new Map<string, number>()
  let rebalancedAt: number | undefined
  let events: readonly ScheduledEvent[] = []

  function token({ headers }: WireRequest): WireAnswer {
    const seconds = Number(headers['x-aws-ec2-metadata-token-ttl-seconds'])
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > longestSeconds) return plain(400, '400 - Bad Request')
    const text = randomBytes(40).toString('base64')
    tokens.set(text, clock.now() + seconds * 1000)
    return plain(200, text, { 'x-aws-ec2-metadata-token-ttl-seconds': String(seconds) })
  }

  function item(path: string): string | undefined {
    const end = takenBackAt()
    switch (path) {
      case 'spot/instance-action':
        return end === undefined ? undefined : JSON.stringify({ action: 'terminate', time: seconds(end) })
      case 'spot/termination-time':
        return end === undefined ? undefined : seconds(end)
      case 'events/recommendations/rebalance':
        return rebalancedAt === undefined ? undefined : JSON.stringify({ noticeTime: seconds(rebalancedAt) })
      case 'events/maintenance/scheduled':
        return JSON.stringify(events.map(eventJson))
      default:
        return undefined
    }
  }

  function answer(request: WireRequest): WireAnswer {
    const { method, path, headers } = request
    // A proxy in between would hand out the metadata of another machine.
    if (headers['x-forwarded-for'] !== undefined) return plain(403, '403 - Forbidden')
    if (path === '/latest/api/token') return method === 'PUT' ? token(request) : plain(405, '405 - Method Not Allowed')
    if (method !== 'GET') return plain(405, '405 - Method Not Allowed')
    const given = headers['x-aws-ec2-metadata-token']
    const validUntil = typeof given === 'string' ? tokens.get(given) : undefined
    if (validUntil === undefined || validUntil <= clock.now()) return plain(401, '401 - Unauthorized')
    const body = path.startsWith(root) ? item(path.slice(root.length)) : undefined
    return body === undefined ? plain(404, '404 - Not Found') : plain(200, body)
  }

  const control = {
    recommendRebalance: () => void (rebalancedAt = clock.now()),
    schedule: (next: readonly ScheduledEvent[]) => void (events = next),
    revokeTokens: () => tokens.clear(),
  }
  return startMetadata(answer, control, log)
}

function seconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** EC2 writes these times as "21 Jan 2019 09:00:43 GMT". */
function eventJson({ Code, State, notBefore }: ScheduledEvent, index: number) {
  const time = (ms: number) => new Date(ms).toUTCString().replace(/^\w+, /, '')
  return {
    NotBefore: time(notBefore),
    NotAfter: time(notBefore + 3_600_000),
    Code,
    Description: `scheduled ${Code}`,
    EventId: `instance-event-${String(index).padStart(17, '0')}`,
    State,
  }
}
