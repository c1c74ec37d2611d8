import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CapacityPoolManager } from '../../generated/capacity-pool.ts'
import { termsOf } from '../policy.ts'
import { dueAt, entryOf, rateOf, recordOf, summaryDueAt, summaryOf } from './pool-entry.ts'
import {
  afterRunning,
  afterSighting,
  counted,
  forgotten,
  newRecord,
  stateChangesAt,
  stateOf,
  type PoolRecord,
  type Sighting,
} from './pool-view.ts'

const t0 = Date.UTC(2026, 0, 1)
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const terms = termsOf()
const key = { manager: 'capspot-system/lease', account: '0a1b2c3d' }

const refusedAt = (
  at: number,
  reason: 'InsufficientCapacity' | 'QuotaExceeded' = 'InsufficientCapacity',
): Sighting => ({
  refused: { at, reason, terms },
})
const runs = (requestedAt: number, at: number): Sighting => ({ served: { requestedAt, at } })
const after = (record: PoolRecord, ...sightings: readonly (readonly [Sighting, number])[]) =>
  sightings.reduce((seen, [sighting, now]) => afterSighting(seen, sighting, now), record)
const fresh = newRecord('aws', t0)

it('a refusal closes it, with its reason and the time of the next probe by the policy of the refused machine', () => {
  const closed = after(fresh, [refusedAt(t0 + second), t0 + second])
  expect(stateOf(closed, t0 + second)).toBe('Closed')
  expect(closed).toMatchObject({ failures: 1, reason: 'InsufficientCapacity', nextProbeAt: t0 + 31 * second })
  const again = after(closed, [refusedAt(t0 + 31 * second), t0 + 31 * second])
  expect(again).toMatchObject({ failures: 2, nextProbeAt: t0 + 91 * second })
})

it('refusals during a pause count once, and the same refusal told again counts not at all', () => {
  const closed = after(fresh, [refusedAt(t0), t0])
  expect(after(closed, [refusedAt(t0), t0], [refusedAt(t0 + 5 * second), t0 + 5 * second]).failures).toBe(1)
})

it('only a machine that was requested after the refusal opens it', () => {
  const closed = after(fresh, [refusedAt(t0 + minute), t0 + minute])
  expect(stateOf(after(closed, [runs(t0, t0 + 2 * minute), t0 + 2 * minute]), t0 + 2 * minute)).toBe('Closed')
  const open = after(closed, [runs(t0 + 90 * second, t0 + 2 * minute), t0 + 2 * minute])
  expect(stateOf(open, t0 + 2 * minute)).toBe('Open')
  expect(open.reason).toBeUndefined()
  expect(stateOf(after(open, [refusedAt(t0 + minute), t0 + 3 * minute]), t0 + 3 * minute), 'an old one again').toBe(
    'Open',
  )
})

it('what took an instance back is avoided for 5 minutes, at IBM for an hour, and closed wins', () => {
  const taken = after(fresh, [runs(t0, t0), t0], [{ interruptedAt: t0 + minute }, t0 + minute])
  expect([4, 6].map((n) => stateOf(taken, t0 + n * minute))).toEqual(['Avoided', 'Open'])
  expect(stateChangesAt(taken, t0 + minute)).toBe(t0 + 6 * minute)
  const ibm = after(newRecord('ibm', t0), [runs(t0, t0), t0], [{ interruptedAt: t0 }, t0])
  expect([59, 60].map((n) => stateOf(ibm, t0 + n * minute))).toEqual(['Avoided', 'Open'])
  expect(stateOf(after(taken, [refusedAt(t0 + 2 * minute), t0 + 2 * minute]), t0 + 2 * minute)).toBe('Closed')
})

it('a refusal that nobody has asked about for an hour after its pause says nothing any more', () => {
  const closed = after(fresh, [refusedAt(t0), t0])
  const end = t0 + 30 * second + hour
  expect([stateOf(closed, end - 1), stateOf(closed, end)]).toEqual(['Closed', 'Unknown'])
  expect(stateChangesAt(closed, t0)).toBe(end)
})

it('what a person forgets stays forgotten: an older refusal or interruption counts no more, a newer one does', () => {
  const now = t0 + minute
  const past = forgotten(counted(after(fresh, [refusedAt(t0 + second), t0 + second])), now)
  expect(past).toMatchObject({ failures: 0, interruptions: 0, forgottenAt: now })
  const told = after(past, [refusedAt(t0 + second), now], [{ interruptedAt: t0 + second }, now])
  expect(stateOf(told, now)).toBe('Unknown')
  const restored = recordOf(entryOf(told, key, now), 'aws', now)
  expect(after(restored, [refusedAt(t0 + second), now]).failures).toBe(0)
  expect(after(restored, [refusedAt(now + second), now + second]).failures).toBe(1)
})

const at = fc.integer({ min: 0, max: 200 }).map((n) => t0 + n * 10 * second)
const sighting: fc.Arbitrary<Sighting> = fc.oneof(
  at.map((when) => refusedAt(when)),
  fc.tuple(at, fc.nat(60)).map(([when, boot]) => runs(when, when + boot * second)),
  at.map((when) => ({ interruptedAt: when })),
)

it('a restart changes nothing that can be seen, whatever was seen before it', () => {
  fc.assert(
    fc.property(fc.array(sighting, { maxLength: 12 }), fc.array(sighting, { maxLength: 4 }), (before, later) => {
      const now = t0 + hour
      const record = after(fresh, ...before.map((one) => [one, now] as const))
      const restored = recordOf(entryOf(record, key, now), 'aws', now)
      const view = (seen: PoolRecord) => entryOf(seen, key, now)
      expect(view(restored)).toEqual(view(record))
      const more = later.map((one) => [one, now] as const)
      expect(view(after(restored, ...more))).toEqual(view(after(record, ...more)))
    }),
  )
})

it('facts may be told twice, and times of a clock ahead of ours wait until they have come', () => {
  fc.assert(
    fc.property(fc.array(sighting, { maxLength: 10 }), at, (sightings, now) => {
      const record = after(fresh, ...sightings.map((one) => [one, now] as const))
      const last = sightings.at(-1)
      expect(last ? afterSighting(record, last, now) : record).toEqual(record)
      expect(record.failures).toBeGreaterThanOrEqual(0)
      for (const time of [record.refusedAt, record.served?.at, record.interruptedAt]) {
        expect(time ?? 0).toBeLessThanOrEqual(now)
      }
    }),
  )
})

it('interruptions per 1,000 h come from the hours of all instances, and from no less than ten', () => {
  expect(rateOf([{ interruptions: 1, seconds: 9 * 3600 }])).toBeUndefined()
  expect(rateOf([{ interruptions: 1, seconds: 10 * 3600 }])).toBe(100)
  expect(
    rateOf([
      { interruptions: 1, seconds: 300 * 3600 },
      { interruptions: 2, seconds: 700 * 3600 },
    ]),
  ).toBe(3)
})

it('the summary is the worst of all entries, in whatever order they stand', () => {
  const open = after(fresh, [runs(t0, t0), t0])
  const closed = after(fresh, [refusedAt(t0), t0])
  const quota = after(fresh, [refusedAt(t0 + second, 'QuotaExceeded'), t0 + second])
  const now = t0 + 2 * second
  fc.assert(
    fc.property(fc.shuffledSubarray([open, closed, quota], { minLength: 3 }), (records) => {
      expect(summaryOf(records, now)).toEqual(summaryOf([open, closed, quota], now))
    }),
  )
  expect(summaryOf([open, closed, quota], now)).toMatchObject({ state: 'Closed', reason: 'QuotaExceeded' })
  expect(summaryOf([open], now)).toMatchObject({ state: 'Open', failures: 0 })
})

it('an entry is due at once for a transition, after 30 s for another change, after an hour for hours alone', () => {
  const record = after(fresh, [runs(t0, t0), t0])
  const before = entryOf(record, key, t0)
  const due = (changed: PoolRecord, now: number) => dueAt(entryOf(changed, key, now), before, t0)
  expect(dueAt(before, undefined, t0)).toBe(0)
  expect(due(record, t0)).toBe(Infinity)
  expect(due(after(record, [refusedAt(t0 + second), t0 + second]), t0 + second)).toBe(0)
  expect(due(after(record, [runs(t0 + second, t0 + 2 * second), t0 + 2 * second]), t0 + 2 * second)).toBe(
    t0 + 30 * second,
  )
  expect(due(afterRunning(record, 1800), t0 + hour / 2)).toBe(t0 + hour)
})

it('a summary that another manager left is corrected after 30 s, and a rate that only fades is not', () => {
  const summary = summaryOf([after(fresh, [refusedAt(t0), t0])], t0)
  expect(summaryDueAt(summary, summary, t0)).toBe(Infinity)
  expect(summaryDueAt({ ...summary, interruptionsPer1000Hours: 3 }, summary, t0)).toBe(Infinity)
  expect(summaryDueAt(summary, { ...summary, state: 'Open' }, t0)).toBe(t0 + 30 * second)
  expect(summaryDueAt(summary, undefined, t0)).toBe(t0 + 30 * second)
})

it('garbage in an entry is read without a throw, as what is known of it', () => {
  const entry = {
    ...key,
    state: 'Closed',
    failures: 3,
    lastRefusal: 'x',
    nextProbe: '9'.repeat(30),
  } as CapacityPoolManager
  expect(stateOf(recordOf(entry, 'aws', t0), t0)).toBe('Unknown')
})
