import type { Notice, NoticeKind } from '../../../api/notice.ts'
import type { Refused } from '../../notices.ts'
import { instantOf } from '../../shared/instant.ts'
import { isObject } from '../../shared/shape.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'

/** What a message of EventBridge says. */
export type EventReading =
  | { readonly is: Exclude<Refused, 'foreign'> }
  | {
      readonly is: 'event'
      readonly account: string
      readonly region: string
      readonly notices: readonly Notice[]
      /** Instances that are said to end or to stop. */
      readonly changed: readonly string[]
    }

type Fields = Readonly<Record<string, unknown>>

/** The parts of an event that its reader needs. */
interface Event {
  readonly at: number
  readonly detail: Fields
  readonly region: string
}

/** Undefined: the details cannot be read. */
type Read = (event: Event) => Partial<Pick<Extract<EventReading, { is: 'event' }>, Filled>> | 'unknown' | undefined
type Filled = 'notices' | 'changed' | 'region'

/** EC2 documents that a spot instance ends so long after the warning. The event names no deadline. */
const noticeMs = 120_000

const minuteMs = 60_000
const dayMs = 86_400_000
/** The clock of AWS may be ahead of ours. */
const mostAheadMs = 5 * minuteMs
/** Queues keep messages for 14 days at most; a notice is of no use after minutes. */
const mostBehindMs = 14 * dayMs
/** A scheduled change is announced weeks ahead. */
const latestDeadlineMs = 366 * dayMs
/** An event of AWS Health names some dozens. */
const mostInstances = 1_000
/** An event of EC2 has less than a kilobyte, and one with a thousand instances has less than this. */
const mostCharacters = 262_144

/** Events of AWS have half a dozen levels. A stranger's may have a level, and so an array, for each two bytes. */
const mostLevels = 32

/**
 * Reads the body of a message. It is lenient with what AWS writes in several ways, and takes only what it needs. The
 * events are in https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/automating_with_eventbridge.html and in
 * https://docs.aws.amazon.com/health/latest/ug/aws-health-events-eventbridge-schema.html.
 */
export function readEvent(body: string, now: number): EventReading {
  const envelope = parsed(body)
  if (!isObject(envelope)) return { is: 'malformed' }
  const { source, time, detail } = envelope
  // A sample of AWS has an underscore here.
  const type = envelope['detail-type'] ?? envelope['detail_type']
  if (typeof source !== 'string' || typeof type !== 'string') return { is: 'malformed' }
  const read = readers.get(`${source} ${type}`)
  if (!read) return { is: 'unknown' }
  const at = instantOf(time)
  const place = placeIn(envelope)
  if (!place || at === undefined || !isObject(detail)) return { is: 'malformed' }
  const said = read({ at, detail, region: place.region })
  if (said === undefined) return { is: 'malformed' }
  if (said === 'unknown') return { is: 'unknown' }
  const event = { is: 'event', ...place, notices: [], changed: [], ...said } as const
  return isAbsurd(at, event.notices, now) ? { is: 'absurd' } : event
}

function placeIn({ account, region }: Fields): { account: string; region: string } | undefined {
  if (!isLike(attemptPatterns.account, account) || !isLike(attemptPatterns.region, region)) return undefined
  return { account, region }
}

function parsed(body: string): unknown {
  if (body.length > mostCharacters || isNestedDeeply(body)) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Without parsing it, because what is parsed is in memory by then. */
function isNestedDeeply(body: string): boolean {
  let [levels, isInString] = [0, false]
  for (let at = 0; at < body.length; at++) {
    const character = body[at]
    if (character === '"') isInString = !isInString
    else if (character === '\\') at += 1
    else if (isInString) continue
    else if (character === '[' || character === '{') levels += 1
    else if (character === ']' || character === '}') levels -= 1
    if (levels > mostLevels) return true
  }
  return false
}

const spot: Read = (event) => ofInstance(event, 'Spot', event.at + noticeMs)
const rebalance: Read = (event) => ofInstance(event, 'Rebalance', undefined)
const capacityEnding: Read = (event) =>
  ofInstance(event, 'CapacityEnding', instantOf(event.detail['instance-termination-time']) ?? event.at + noticeMs)

const ending = new Set<unknown>(['stopping', 'stopped', 'shutting-down', 'terminated'])

const stateChange: Read = ({ detail }) => {
  const { state, 'instance-id': id } = detail
  if (!isInstance(id) || typeof state !== 'string') return undefined
  return ending.has(state) ? { changed: [id] } : 'unknown'
}

/** A change of the host that AWS schedules. It may affect many instances. */
const health: Read = ({ at, detail, region }) => {
  const { service, eventTypeCategory, statusCode, startTime, affectedEntities, eventRegion } = detail
  if (service !== 'EC2' || eventTypeCategory !== 'scheduledChange' || statusCode === 'closed') return 'unknown'
  if (!Array.isArray(affectedEntities) || affectedEntities.length > mostInstances) return undefined
  const instances = affectedEntities.map((one: unknown) => (isObject(one) ? one['entityValue'] : undefined))
  const deadline = instantOf(startTime)
  const notices = instances.filter(isInstance).map((instance) => noticeOf(instance, 'Maintenance', at, deadline))
  // AWS sends a copy to a second region, as a backup.
  return { notices, region: isLike(attemptPatterns.region, eventRegion) ? eventRegion : region }
}

/** Every event that has an effect. The rules in `config/aws` must ask for these and no others. */
const readers: ReadonlyMap<string, Read> = new Map([
  ['aws.ec2 EC2 Spot Instance Interruption Warning', spot],
  ['aws.ec2 EC2 Instance Rebalance Recommendation', rebalance],
  ['aws.ec2 EC2 Capacity Reservation Instance Interruption Warning', capacityEnding],
  // The name in an older copy of the page.
  ['aws.ec2 EC2 Interruptible Capacity Reservation Instance Interruption Warning', capacityEnding],
  ['aws.ec2 EC2 Instance State-change Notification', stateChange],
  ['aws.health AWS Health Event', health],
])

/** Whether events of this source and type have an effect. */
export function isKnownEvent(source: string, type: string): boolean {
  return readers.has(`${source} ${type}`)
}

function ofInstance({ at, detail }: Event, kind: NoticeKind, deadline: number | undefined): ReturnType<Read> {
  const id = detail['instance-id']
  return isInstance(id) ? { notices: [noticeOf(id, kind, at, deadline)] } : undefined
}

function noticeOf(instance: string, kind: NoticeKind, at: number, deadline: number | undefined): Notice {
  return { instance, kind, at, ...(deadline === undefined ? {} : { deadline }), source: 'Queue' }
}

function isAbsurd(at: number, notices: readonly Notice[], now: number): boolean {
  if (at > now + mostAheadMs || at < now - mostBehindMs) return true
  return notices.some(({ deadline = now }) => deadline < at - dayMs || deadline > now + latestDeadlineMs)
}

function isInstance(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 64 && attemptPatterns.handle.test(value)
}

function isLike(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && value.length <= 64 && pattern.test(value)
}
