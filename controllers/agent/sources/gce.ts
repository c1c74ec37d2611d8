import type { Ctx } from '../../../api/ctx.ts'
import type { Announcement, ConditionType, Say } from '../announcement.ts'
import { poll } from './poll.ts'
import { BadMetadata, type Metadata, type Source } from './source.ts'

/** GCE answers when the value changes, and after this time at the latest. */
const waitSeconds = 60
const timeoutMs = 75_000
/** Against a service that does not wait. */
const everyMs = 200

interface Key {
  readonly path: string
  readonly type: ConditionType
  /** What each value means. A live migration is not announced: the machine runs on. */
  readonly values: Readonly<Record<string, Announcement | undefined>>
}

const keys: readonly Key[] = [
  {
    path: 'preempted',
    type: 'Terminating',
    values: { FALSE: undefined, TRUE: { reason: 'Preempted', message: 'GCE takes this machine back' } },
  },
  {
    path: 'maintenance-event',
    type: 'MaintenanceScheduled',
    values: {
      NONE: undefined,
      MIGRATE_ON_HOST_MAINTENANCE: undefined,
      TERMINATE_ON_HOST_MAINTENANCE: { reason: 'HostMaintenance', message: 'GCE stops this machine for maintenance' },
    },
  },
]

export function gceSource(metadata: Metadata): Source {
  return async (say, ctx) => {
    await Promise.all(keys.map((key) => poll(waiting(key, metadata, say), { what: key.path, everyMs }, ctx)))
  }
}

/** Each read waits for a value other than that of the read before. */
function waiting({ path, type, values }: Key, { endpoint, request }: Metadata, say: Say) {
  let etag = '0'
  return async (ctx: Ctx): Promise<void> => {
    const query = `wait_for_change=true&timeout_sec=${waitSeconds}&last_etag=${encodeURIComponent(etag)}`
    const url = `${endpoint}/computeMetadata/v1/instance/${path}?${query}`
    const { status, headers, body } = await request({ url, headers: { 'Metadata-Flavor': 'Google' }, timeoutMs }, ctx)
    const value = body.trim()
    if (status !== 200 || headers['metadata-flavor'] !== 'Google' || !Object.hasOwn(values, value)) {
      etag = '0'
      throw new BadMetadata(`${path} was answered with ${status} and no known value.`)
    }
    etag = typeof headers['etag'] === 'string' ? headers['etag'] : '0'
    say(type, values[value])
  }
}
