import { createHash } from 'node:crypto'
import type { WireAnswer, WireRequest } from '../kit/http/wire.ts'
import { plain, startMetadata, type MetadataOptions, type MetadataServer } from './instance.ts'

export const maintenanceEvents = ['NONE', 'MIGRATE_ON_HOST_MAINTENANCE', 'TERMINATE_ON_HOST_MAINTENANCE'] as const

export interface GceMetadataControl {
  maintain(event: (typeof maintenanceEvents)[number]): void
}

const root = '/computeMetadata/v1/instance/'
/** How soon a waiting call sees what the simulated cloud has done. */
const lookMs = 20
/** GCE itself ends a wait at some time; a caller may ask for less. */
const longestWaitSeconds = 3_600

/** The metadata server of GCE: a value as text, its ETag, and calls that wait for another value. */
export function startGceMetadata({
  clock,
  log,
  takenBackAt = () => undefined,
}: MetadataOptions): Promise<MetadataServer<GceMetadataControl>> {
  let maintenance: (typeof maintenanceEvents)[number] = 'NONE'
  const values: ReadonlyMap<string, () => string> = new Map<string, () => string>([
    ['preempted', () => (takenBackAt() === undefined ? 'FALSE' : 'TRUE')],
    ['maintenance-event', () => maintenance],
  ])

  async function answer({ method, path, query, headers }: WireRequest, left: AbortSignal): Promise<WireAnswer> {
    const refuse = (status: number, why: string) => plain(status, why, { 'Metadata-Flavor': 'Google' })
    if (headers['x-forwarded-for'] !== undefined) return refuse(403, 'A forwarded request')
    if (headers['metadata-flavor'] !== 'Google') return refuse(403, 'Missing Metadata-Flavor:Google header.')
    const value = path.startsWith(root) ? values.get(path.slice(root.length)) : undefined
    if (!value) return refuse(404, 'Not found')
    if (method !== 'GET') return refuse(405, 'Method not allowed')
    if (query.get('wait_for_change') === 'true') {
      const known = query.get('last_etag') ?? etagOf(value())
      const seconds = Number(query.get('timeout_sec') ?? longestWaitSeconds)
      if (!(seconds >= 0)) return refuse(400, 'timeout_sec is not a number')
      const until = clock.monotonic() + seconds * 1000
      while (etagOf(value()) === known && clock.monotonic() < until) await clock.sleep(lookMs, left)
    }
    const text = value()
    return {
      status: 200,
      headers: { 'Metadata-Flavor': 'Google', 'Content-Type': 'application/text', ETag: etagOf(text) },
      body: text,
    }
  }

  const control = {
    maintain: (event: (typeof maintenanceEvents)[number]) => void (maintenance = event),
  }
  return startMetadata(answer, control, log)
}

function etagOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16)
}
