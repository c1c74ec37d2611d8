import { randomBytes } from 'node:crypto'
import {
  reservationEnding,
  scheduledChange,
  spotWarning,
  stateChange,
  type EventOrigin,
} from '../../simulators/aws/queue/events.ts'

/** What somebody knows who may send to the queue: where our instances are, and the id of one. */
export interface Facts {
  readonly origin: EventOrigin
  readonly instance: string
  readonly now: number
}

interface Known extends Facts {
  readonly huge: string
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** The largest message of SQS. */
export const mostBytes = 1_048_576

const json = (value: unknown) => JSON.stringify(value)
const strangeId = () => `i-${randomBytes(9).toString('hex').slice(1)}`

/** Messages that must have no effect. */
const kinds: Readonly<Record<string, (known: Known) => string>> = {
  'is no JSON': () => '{"source":',
  'is no object': () => '[]',
  'is nested deeply': () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  'is of 1 MiB': ({ huge }) => huge,
  'is of another account': ({ instance, now, origin }) =>
    json({ ...spotWarning(instance, now, origin), account: '210987654321' }),
  'is of another region': ({ instance, now, origin }) =>
    json({ ...spotWarning(instance, now, origin), region: 'eu-west-1' }),
  'names an instance that nobody knows': ({ now, origin }) => json(spotWarning(strangeId(), now, origin)),
  'names many of them': ({ now, origin }) => json(scheduledChange(many(), { at: now, startsAt: now + dayMs }, origin)),
  'names no instance': ({ now, origin }) => json(spotWarning('../../i-0', now, origin)),
  'is older than its machine': ({ instance, now, origin }) => json(spotWarning(instance, now - 60 * minuteMs, origin)),
  'comes from the future': ({ instance, now, origin }) => json(spotWarning(instance, now + dayMs, origin)),
  'has an absurd deadline': ({ instance, now, origin }) =>
    json(reservationEnding(instance, { at: now, endsAt: now + 10_000 * dayMs }, origin)),
  'is about something else': ({ instance, now, origin }) =>
    json({ ...spotWarning(instance, now, origin), 'detail-type': 'EC2 Fleet Error' }),
  'says wrongly that it has ended': ({ instance, now, origin }) =>
    json(stateChange(instance, { state: 'terminated', at: now }, origin)),
}

/** So many messages, as many of each kind. */
export function poison(count: number, facts: Facts): string[] {
  const { instance, now, origin } = facts
  // Ten thousand copies of it would not fit into our own memory.
  const known = { ...facts, huge: padded(spotWarning(instance, now - dayMs, origin)) }
  const makers = Object.values(kinds)
  return Array.from({ length: Math.ceil(count / makers.length) }, () => makers.map((make) => make(known)))
    .flat()
    .slice(0, count)
}

function many(): string[] {
  return Array.from({ length: 50 }, strangeId)
}

/** The rest is a field that nobody reads. */
function padded(event: object): string {
  const plain = json({ ...event, filler: '' })
  return json({ ...event, filler: 'x'.repeat(mostBytes - plain.length) })
}
