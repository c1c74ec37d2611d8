import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TokenBucket } from './bucket.ts'

const limits = fc.record({
  burst: fc.integer({ min: 1, max: 50 }),
  perSecond: fc.double({ min: 0.1, max: 50, noNaN: true }),
})
/**
 * Someone comes after a pause and wants so many tokens, if they are there. Then the cloud may refuse a call: his own,
 * or one of the last that were under way.
 */
const visit = fc.record({
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 20_000 })),
  tokens: fc.integer({ min: 1, max: 3 }),
  refused: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
  ),
  back: fc.integer({ min: 1, max: 4 }),
})
interface Visit {
  afterMs: number
  tokens: number
  refused: number | undefined
  back: number
}
const start = Date.UTC(2026, 0, 1)

/** A bucket of 2 a second that the cloud has refused once, just now, after all of its burst was taken. */
function refusedOnce(retryAfterMs = 0): TokenBucket {
  const bucket = new TokenBucket({ burst: 5, perSecond: 2 })
  const round = bucket.take(5, start)
  bucket.refused(round, retryAfterMs, start)
  return bucket
}

/** How many it gives in the span if all that is there is always taken. */
function givenBetween(bucket: TokenBucket, from: number, to: number): number {
  let given = 0
  for (let now = from; now <= to; now += 10) {
    while (bucket.waitMs(1, now) === 0) {
      bucket.take(1, now)
      given += 1
    }
  }
  return given
}

/** Answers with what was given when, and with the end of the last visit. */
function receive(
  bucket: TokenBucket,
  visits: readonly Visit[],
): { given: { at: number; tokens: number }[]; now: number } {
  const given: { at: number; tokens: number }[] = []
  const rounds: number[] = []
  let now = start
  for (const { afterMs, tokens, refused, back } of visits) {
    now += afterMs
    if (bucket.waitMs(tokens, now) === 0) {
      given.push({ at: now, tokens })
      rounds.push(bucket.take(tokens, now))
    }
    const round = rounds.at(-back)
    if (refused !== undefined && round !== undefined) bucket.refused(round, refused, now)
  }
  return { given, now }
}

describe('what it gives', () => {
  it('is never more than the burst and the documented rate, in no span of time', () => {
    fc.assert(
      fc.property(limits, fc.array(visit, { maxLength: 80 }), ({ burst, perSecond }, visits) => {
        const { given } = receive(new TokenBucket({ burst, perSecond }), visits)
        for (const [index, { at }] of given.entries()) {
          let sum = 0
          for (const later of given.slice(index)) {
            sum += later.tokens
            expect(sum).toBeLessThanOrEqual(burst + (perSecond * (later.at - at)) / 1000 + 0.001)
          }
        }
      }),
    )
  })

  it('is there when it said that it would be, and not before', () => {
    fc.assert(
      fc.property(limits, fc.array(visit, { maxLength: 20 }), fc.integer({ min: 1, max: 50 }), (row, visits, want) => {
        const bucket = new TokenBucket(row)
        const { now } = receive(bucket, visits)
        const tokens = Math.min(want, row.burst)
        const wait = bucket.waitMs(tokens, now)
        fc.pre(wait > 1)
        expect(bucket.waitMs(tokens, now + wait - 1)).toBeGreaterThan(0.5)
        expect(bucket.waitMs(tokens, now + Math.ceil(wait))).toBeLessThan(0.01)
      }),
    )
  })

  it('is the whole burst at first, and within 2 % of the documented rate from then on', () => {
    const bucket = new TokenBucket({ burst: 5, perSecond: 2 })
    expect(givenBetween(bucket, start, start)).toBe(5)
    const inTenMinutes = givenBetween(bucket, start, start + 600_000)
    expect(inTenMinutes).toBeGreaterThan(1_200 * 0.98)
    expect(inTenMinutes).toBeLessThanOrEqual(1_200)
  })

  it('suits a cloud that counts by the minute, whenever its minute begins', () => {
    const bucket = new TokenBucket({ burst: 300, perSecond: 20 })
    const tenths = Array.from({ length: 3_000 }, (_, n) => givenBetween(bucket, start + n * 100, start + n * 100))
    for (let first = 0; first + 600 <= tenths.length; first++) {
      expect(tenths.slice(first, first + 600).reduce((sum, given) => sum + given)).toBeLessThanOrEqual(1_500)
    }
  })
})

describe('refused by the cloud', () => {
  it('pauses, as long as the cloud asks at least, and then has one token to try with', () => {
    const bucket = refusedOnce(30_000)
    expect(bucket.waitMs(1, start + 29_999)).toBe(1)
    expect(givenBetween(bucket, start + 30_000, start + 30_000)).toBe(1)
    expect(bucket.waitMs(1, start + 30_000)).toBeGreaterThan(500)
  })

  it('pauses for about a token’s time where the cloud names none', () => {
    const pause = refusedOnce().waitMs(1, start)
    expect(pause).toBeGreaterThan(500)
    expect(pause).toBeLessThan(1_000)
  })

  it('slows down once for calls that were under way together, but still pauses for the longest', () => {
    const bucket = new TokenBucket({ burst: 5, perSecond: 2 })
    const rounds = [1, 2, 3, 4, 5].map(() => bucket.take(1, start))
    for (const round of rounds) bucket.refused(round, 0, start)
    expect(bucket.waitMs(2, start)).toBe(refusedOnce().waitMs(2, start))
    bucket.refused(rounds[0] ?? 0, 9_000, start + 100)
    expect(bucket.waitMs(1, start + 100)).toBe(9_000)
  })

  it('a late refusal of a call from before the pause gives no token that time has not given', () => {
    const bucket = new TokenBucket({ burst: 5, perSecond: 2 })
    const rounds = [bucket.take(1, start), bucket.take(4, start)]
    bucket.refused(rounds[0] ?? 0, 0, start)
    const resumed = start + bucket.waitMs(1, start)
    bucket.take(1, resumed)
    bucket.refused(rounds[1] ?? 0, 10, resumed)
    expect(bucket.waitMs(1, resumed + 10)).toBeGreaterThan(500)
  })

  it('slows down more with each refusal after a pause, down to a fiftieth of the rate', () => {
    const bucket = new TokenBucket({ burst: 5, perSecond: 2 })
    const pauses: number[] = []
    let now = start
    for (let refusal = 0; refusal < 40; refusal++) {
      bucket.refused(bucket.take(1, now), 0, now)
      pauses.push(bucket.waitMs(1, now))
      now += bucket.waitMs(1, now)
    }
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    expect(pauses[1]).toBeGreaterThan((pauses[0] ?? 0) * 1.3)
    expect(pauses.at(-1)).toBeLessThanOrEqual(50 / 1.98e-3 + 1)
    expect(pauses.at(-1)).toBeGreaterThan(20_000)
  })

  it('regains its rate evenly: three quarters at first, all of it after ten seconds', () => {
    const bucket = new TokenBucket({ burst: 50, perSecond: 20 })
    bucket.refused(bucket.take(50, start), 0, start)
    const second = (n: number) => givenBetween(bucket, start + n * 1_000, start + (n + 1) * 1_000 - 10)
    const rates = Array.from({ length: 14 }, (_, n) => second(n))
    expect(rates[1]).toBeGreaterThanOrEqual(14)
    expect(rates[1]).toBeLessThanOrEqual(16)
    expect(rates[5]).toBeGreaterThanOrEqual(16)
    expect(rates[5]).toBeLessThanOrEqual(18)
    for (const rate of rates.slice(11)) expect(rate).toBeGreaterThanOrEqual(19)
  })
})
