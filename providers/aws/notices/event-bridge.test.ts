import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isKnownEvent, readEvent } from './event-bridge.ts'

const now = Date.UTC(2026, 0, 1)
const id = 'i-0123456789abcdef0'
const other = 'i-0123456789abcdef1'

/** As in the samples of AWS. */
const event = (over: object = {}) => ({
  version: '0',
  id: '12345678-1234-1234-1234-123456789012',
  'detail-type': 'EC2 Spot Instance Interruption Warning',
  source: 'aws.ec2',
  account: '123456789012',
  time: '2026-01-01T00:00:00Z',
  region: 'us-east-1',
  resources: [`arn:aws:ec2:us-east-1a:instance/${id}`],
  detail: { 'instance-id': id, 'instance-action': 'terminate' },
  ...over,
})
const read = (over: object = {}, at = now) => readEvent(JSON.stringify(event(over)), at)
const notices = (over: object) => {
  const reading = read(over)
  return reading.is === 'event' ? reading.notices : reading
}

/** So many arrays, each in the one before. The event itself is a level, too. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

const reservationType = 'EC2 Capacity Reservation Instance Interruption Warning'
const health = (detail: object = {}, over: object = {}) => ({
  source: 'aws.health',
  'detail-type': 'AWS Health Event',
  detail: {
    service: 'EC2',
    eventTypeCode: 'AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED',
    eventTypeCategory: 'scheduledChange',
    startTime: 'Thu, 15 Jan 2026 10:00:00 GMT',
    affectedEntities: [{ entityValue: id }, { entityValue: other }],
    ...detail,
  },
  ...over,
})

describe('what an event says', () => {
  it('a spot warning: the instance ends two minutes after the event', () => {
    expect(read()).toEqual({
      is: 'event',
      account: '123456789012',
      region: 'us-east-1',
      notices: [{ instance: id, kind: 'Spot', at: now, deadline: now + 120_000, source: 'Queue' }],
      changed: [],
    })
  })

  it('a rebalance recommendation has no deadline', () => {
    const over = { 'detail-type': 'EC2 Instance Rebalance Recommendation', detail: { 'instance-id': id } }
    expect(notices(over)).toEqual([{ instance: id, kind: 'Rebalance', at: now, source: 'Queue' }])
  })

  it.each([reservationType, 'EC2 Interruptible Capacity Reservation Instance Interruption Warning'])(
    '%s: a reservation ends, and says when',
    (type) => {
      const detail = { 'instance-id': id, 'instance-termination-time': '2026-01-01T00:30:00Z' }
      expect(notices({ 'detail-type': type, detail })).toEqual([
        { instance: id, kind: 'CapacityEnding', at: now, deadline: now + 1_800_000, source: 'Queue' },
      ])
    },
  )

  it('a reservation that does not say when ends two minutes later, as AWS documents', () => {
    const detail = { 'instance-id': id, 'instance-termination-time': 'soon' }
    expect(notices({ 'detail-type': reservationType, detail })).toMatchObject([{ deadline: now + 120_000 }])
  })

  it('AWS Health: each instance that the change affects', () => {
    const deadline = Date.UTC(2026, 0, 15, 10)
    const common = { kind: 'Maintenance', at: now, deadline, source: 'Queue' }
    expect(notices(health())).toEqual([
      { instance: id, ...common },
      { instance: other, ...common },
    ])
  })

  it('AWS Health: other entities are left out, and the copy in a second region means the first', () => {
    const affectedEntities = [{ entityValue: 'vol-1' }, 'i-2', { entityValue: other }, {}]
    const reading = read(health({ affectedEntities, eventRegion: 'eu-west-1' }, { region: 'us-west-2' }))
    expect(reading).toMatchObject({ is: 'event', region: 'eu-west-1', notices: [{ instance: other }] })
  })

  it.each(['stopping', 'stopped', 'shutting-down', 'terminated'])('%s is no notice, only a reason to list', (state) => {
    const over = { 'detail-type': 'EC2 Instance State-change Notification', detail: { 'instance-id': id, state } }
    expect(read(over)).toMatchObject({ is: 'event', notices: [], changed: [id] })
  })
})

describe('what AWS writes in several ways', () => {
  it.each<[string, object]>([
    ['resources as a string', { resources: `arn:aws:ec2:us-east-1:123456789012:instance/${id}` }],
    ['no resources', { resources: undefined }],
    ['an underscore in the type', { 'detail-type': undefined, detail_type: 'EC2 Spot Instance Interruption Warning' }],
    ['a later version', { version: '1' }],
    ['more fields', { more: true }],
  ])('%s is read', (_, over) => expect(notices(over)).toMatchObject([{ instance: id, kind: 'Spot' }]))
})

describe('what has no effect', () => {
  it.each<[string, object]>([
    ['another source', { source: 'aws.s3' }],
    ['another type', { 'detail-type': 'EC2 Fleet Error' }],
    ['a member of every object', { source: 'constructor', 'detail-type': '' }],
    [
      'an instance that starts',
      {
        'detail-type': 'EC2 Instance State-change Notification',
        detail: { 'instance-id': id, state: 'running' },
      },
    ],
    ['health of another service', health({ service: 'RDS' })],
    ['health of no scheduled change', health({ eventTypeCategory: 'issue' })],
    ['a scheduled change that is over', health({ statusCode: 'closed' })],
  ])('%s is unknown', (_, over) => expect(read(over)).toEqual({ is: 'unknown' }))

  it.each<[string, object]>([
    ['no instance', { detail: {} }],
    ['another id', { detail: { 'instance-id': 'i-x; drop' } }],
    ['a long id', { detail: { 'instance-id': `i-${'0'.repeat(100)}` } }],
    ['no detail', { detail: null }],
    ['no account', { account: 123_456_789_012 }],
    ['a region of another kind', { region: '../us-east-1' }],
    ['no time', { time: undefined }],
    ['a time that is none', { time: 'now' }],
    ['entities that are no list', health({ affectedEntities: {} })],
    ['a body with more levels than any event', { filler: nested(32) }],
    ['a body longer than any event', { filler: 'x'.repeat(262_144) }],
    ['too many entities', health({ affectedEntities: Array.from({ length: 1_001 }, () => ({ entityValue: id })) })],
  ])('%s is malformed', (_, over) => expect(read(over)).toEqual({ is: 'malformed' }))

  it('is an event with as many levels, and brackets in its texts are none', () => {
    expect(read({ filler: nested(31) }).is).toBe('event')
    expect(read({ filler: `\\"${'['.repeat(100)}` }).is).toBe('event')
  })

  it.each(['', 'null', '[]', '"i-1"', '{', '{}', '['.repeat(500_000)])('garbage is malformed', (body) =>
    expect(readEvent(body, now)).toEqual({ is: 'malformed' }),
  )

  it.each<[string, object]>([
    ['an event of tomorrow', { time: '2026-01-02T00:00:00Z' }],
    ['an event of last month', { time: '2025-12-01T00:00:00Z' }],
    [
      'an end before the event',
      {
        'detail-type': reservationType,
        detail: { 'instance-id': id, 'instance-termination-time': '1999-01-01T00:00:00Z' },
      },
    ],
    ['an end in a thousand years', health({ startTime: 'Thu, 15 Jan 3026 10:00:00 GMT' })],
  ])('%s is absurd', (_, over) => expect(read(over)).toEqual({ is: 'absurd' }))
})

const json = fc.jsonValue({ maxDepth: 4 })
const ids = fc.constantFrom(id, other, 'i-', 'vol-1', 7, null)
/** An event of which any part may be any JSON. */
const anyEvent = fc.record(
  {
    source: fc.oneof(fc.constantFrom('aws.ec2', 'aws.health'), json),
    'detail-type': fc.oneof(
      fc.constantFrom(
        'AWS Health Event',
        reservationType,
        'EC2 Instance State-change Notification',
        'EC2 Spot Instance Interruption Warning',
      ),
      json,
    ),
    account: fc.oneof(fc.constant('123456789012'), json),
    region: fc.oneof(fc.constant('us-east-1'), json),
    time: fc.oneof(fc.constantFrom('2026-01-01T00:00:00Z', '+275760-09-13T00:00:00Z'), json),
    detail: fc.oneof(
      fc.record({
        'instance-id': ids,
        state: fc.oneof(fc.constant('stopping'), json),
        'instance-termination-time': fc.oneof(fc.constant('2026-01-01T01:00:00Z'), json),
        service: fc.constant('EC2'),
        eventTypeCategory: fc.constant('scheduledChange'),
        startTime: fc.oneof(fc.constant('Thu, 15 Jan 2026 10:00:00 GMT'), json),
        affectedEntities: fc.oneof(fc.array(fc.oneof(fc.record({ entityValue: ids }), json)), json),
      }),
      json,
    ),
  },
  { requiredKeys: [] },
)

it('reads any JSON without a failure, and a notice is always whole', () => {
  fc.assert(
    fc.property(fc.oneof(anyEvent, json), (body) => {
      const reading = readEvent(JSON.stringify(body), now)
      if (reading.is !== 'event') return
      expect(reading.account).toMatch(/^\d{12}$/)
      for (const notice of reading.notices) {
        expect(notice.instance).toMatch(/^i-[0-9a-f]+$/)
        expect(notice.at).toBeLessThanOrEqual(now + 300_000)
        expect(notice.deadline ?? now).toBeLessThanOrEqual(now + 366 * 86_400_000)
      }
    }),
  )
})

it('reads any text without a failure', () => {
  fc.assert(fc.property(fc.string(), (body) => void readEvent(body, now)))
})

it('knows an event by its source, too', () => {
  expect(isKnownEvent('aws.ec2', 'AWS Health Event')).toBe(false)
  expect(isKnownEvent('aws.health', 'AWS Health Event')).toBe(true)
})
