import fc from 'fast-check'
import { expect, it } from 'vitest'
import { validate } from '../../../crds/validate.ts'
import { readAttempt, type Attempt } from '../../attempt.ts'
import { annotations } from '../../labels.ts'
import { offeringKey, type Offering } from '../../offering.ts'
import { shownAttempts } from './shown-attempts.ts'
import { mostTried, unanswered, type Tried } from './tried.ts'

const spot: Offering = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' }
const onDemand: Offering = { ...spot, capacityType: 'OnDemand' }
const code = 'InsufficientInstanceCapacity'
const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:07Z']

const refused = (offering: Offering, more: Partial<Tried> = {}): Tried => ({
  offering: offeringKey(offering),
  rung: 0,
  kind: 'capacity',
  code,
  at: first,
  ...more,
})

const attempt: Attempt = {
  for: 'default/m1',
  owner: 'owner-1',
  n: 2,
  token: 'token-2',
  scope: { cloud: 'aws', identity: 'default', region: 'us-east-1' },
  choice: { ...onDemand, rung: 1, subnet: 'subnet-1' },
  offering: offeringKey(onDemand),
  at: { subnet: 'subnet-1', zone: 'us-east-1a' },
  tried: [refused(spot)],
  triedCount: 1,
  firstRefusedAt: first,
  startedAt: second,
}
const refusedSpot = { ...spot, result: 'Refused', reason: 'InsufficientCapacity', code, at: first }

it('shows what was refused with its reason and code, and then what is requested', () => {
  expect(shownAttempts(attempt)).toEqual([refusedSpot, { ...onDemand, result: 'Requested', at: second }])
})

it('says when the cloud has accepted, and when it refuses after that', () => {
  const accepted = { ...attempt, handle: 'i-1' }
  expect(shownAttempts(accepted)[1]).toEqual({ ...onDemand, result: 'Accepted', at: second })
  const message = 'canary: the cloud said much more'
  const later = { kind: 'quota', code: 'VcpuLimitExceeded', message, at: first } as const
  expect(shownAttempts({ ...accepted, refused: later })[1]).toEqual({
    ...onDemand,
    result: 'Refused',
    reason: 'QuotaExceeded',
    code: 'VcpuLimitExceeded',
    at: first,
  })
})

it('of a request without an answer it does not say that the cloud failed to start an instance', () => {
  const tried = [refused(spot, { kind: 'transient', code: unanswered })]
  expect(shownAttempts({ ...attempt, tried })[0]).toMatchObject({ reason: 'CloudUnavailable', code: unanswered })
})

it('shows the newest, and the present one among them', () => {
  const types = Array.from({ length: mostTried }, (_, nth) => `m5.${nth}`)
  const tried = types.map((instanceType) => refused({ ...spot, instanceType }))
  const shown = shownAttempts({ ...attempt, tried }).map(({ instanceType }) => instanceType)
  expect(shown).toEqual([...types.slice(1), 'm5.large'])
})

it('shows nothing of an attempt of an older version, which names no offering', () => {
  const { choice: _choice, offering: _offering, tried: _tried, ...older } = attempt
  expect(shownAttempts(older)).toEqual([])
})

it('leaves out a zone that was not requested', () => {
  const { choice, offering: _, at: _at, ...rest } = attempt
  const shown = shownAttempts({ ...rest, ...(choice ? { choice: { ...choice, zone: '' } } : {}) })
  expect(shown[1]).toEqual({ capacityType: 'OnDemand', instanceType: 'm5.large', result: 'Requested', at: second })
})

it.each([
  ['a sentence', { code: 'No capacity. Call 555 for more!' }],
  ['a text that JSON cannot hold', { code: '\ud800' }],
  ['a very long text', { code: 'x'.repeat(200) }],
])('shows no code that is %s', (_what, more) => {
  expect(shownAttempts({ ...attempt, tried: [refused(spot, more)] })[0]).toEqual({ ...refusedSpot, code: undefined })
})

const kinds = ['AWSMachine', 'AzureMachine', 'GCPMachine', 'IBMMachine']
const likely = ['', 'm5.large', 'us-east-1a', code, unanswered, '__proto__', 'capacity', first, '1970', '+010000-01-01']
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...likely) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1024 }).map((length) => 'x'.repeat(length)) },
)
const key = fc
  .tuple(fc.constantFrom('Spot', 'OnDemand', 'Reserved', 'spot'), word, word)
  .map((parts) => parts.join(':'))
const written = fc.record(
  {
    offering: fc.oneof(key, word),
    choice: fc.record({
      rung: fc.nat(9),
      capacityType: fc.constant('Spot'),
      instanceType: word,
      zone: word,
      subnet: word,
    }),
    tried: fc.array(
      fc.record({ offering: key, rung: fc.nat(9), kind: word, code: word, at: fc.constantFrom(first, '1970') }),
      { maxLength: 17 },
    ),
    startedAt: word,
    handle: word,
    refused: fc.record({ kind: word, code: word, message: word }),
  },
  { requiredKeys: [] },
)

it('whatever tenants write into an attempt, the API server accepts what is shown of it', () => {
  let shown = 0
  fc.assert(
    fc.property(written, (fields) => {
      const text = JSON.stringify({ ...attempt, ...fields })
      const metadata = { namespace: 'default', name: 'm1', annotations: { [annotations.attempt]: text } }
      const reading = readAttempt({ metadata })
      if (reading.is !== 'ours') return
      const status = { attempts: shownAttempts(reading.attempt) }
      shown += status.attempts.length
      for (const kind of kinds) {
        const object = { apiVersion: 'spot.cluster.x-k8s.io/v1alpha1', kind, metadata: {}, spec: {}, status }
        expect(validate(kind, object).filter((complaint) => complaint.startsWith('status'))).toEqual([])
      }
    }),
    { numRuns: 4_000 },
  )
  expect(shown).toBeGreaterThan(300)
})
