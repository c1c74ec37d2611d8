import { randomUUID } from 'node:crypto'
import type { WireAnswer, WireRequest } from '../kit/http/wire.ts'
import { json, startMetadata, type MetadataOptions, type MetadataServer } from './instance.ts'

export interface AzureEvent {
  readonly EventType: 'Freeze' | 'Reboot' | 'Redeploy' | 'Preempt' | 'Terminate' | 'SpotRebalanceRecommendation'
  /** Left out: this machine alone. */
  readonly Resources?: readonly string[]
  /** Undefined: it has begun. */
  readonly notBefore?: number
}

export interface AzureMetadataControl {
  /** All scheduled events from now on, beside the eviction of this machine. */
  schedule(events: readonly AzureEvent[]): void
}

interface AzureMetadataOptions extends MetadataOptions {
  /** The machine's name. */
  readonly name: string
  /** The versions that this region serves. Left out: the older one alone. */
  readonly versions?: readonly string[]
  /** The first call switches the service on. */
  readonly firstAnswerMs?: number
}

const bad = (what: string, more: object = {}) => json(400, { error: `Bad request. ${what}`, ...more })

/** The scheduled events of the instance metadata service of Azure. */
export function startAzureMetadata({
  clock,
  log,
  name,
  takenBackAt = () => undefined,
  versions = ['2020-07-01'],
  firstAnswerMs = 0,
}: AzureMetadataOptions): Promise<MetadataServer<AzureMetadataControl>> {
  let scheduled: readonly (AzureEvent & { readonly id: string })[] = []
  let incarnation = 1
  let isOn = firstAnswerMs === 0
  const eviction = randomUUID()

  function events(): object[] {
    const end = takenBackAt()
    const own = end === undefined ? [] : [{ EventType: 'Preempt' as const, notBefore: end, id: eviction }]
    return [...own, ...scheduled].map((event) => eventJson(event, name, clock.now()))
  }

  async function answer({ method, path, query, headers }: WireRequest, left: AbortSignal): Promise<WireAnswer> {
    if (headers['metadata'] !== 'true') return bad('Required metadata header not specified or not correct')
    if (headers['x-forwarded-for'] !== undefined) return bad('Metadata requests must not be forwarded')
    if (path !== '/metadata/scheduledevents') return json(404, { error: 'Not found' })
    const version = query.get('api-version')
    if (version === null) return bad('api-version was not specified in the request', { 'newest-versions': versions })
    if (!versions.includes(version)) return bad('api-version is invalid', { 'newest-versions': versions })
    // Nothing of ours may start an event before its time.
    if (method !== 'GET') return json(405, { error: 'Method not allowed' })
    if (!isOn) await clock.sleep(firstAnswerMs, left)
    isOn = true
    return json(200, { DocumentIncarnation: incarnation, Events: events() })
  }

  const control = {
    schedule(next: readonly AzureEvent[]) {
      scheduled = next.map((event) => ({ ...event, id: randomUUID() }))
      incarnation++
    },
  }
  return startMetadata(answer, control, log)
}

function eventJson({ EventType, Resources, notBefore, id }: AzureEvent & { id: string }, own: string, now: number) {
  const isAhead = notBefore !== undefined && notBefore > now
  return {
    EventId: id,
    EventStatus: isAhead ? 'Scheduled' : 'Started',
    EventType,
    ResourceType: 'VirtualMachine',
    Resources: Resources ?? [own],
    NotBefore: isAhead ? new Date(notBefore).toUTCString() : '',
    Description: '',
    EventSource: 'Platform',
    DurationInSeconds: -1,
  }
}
