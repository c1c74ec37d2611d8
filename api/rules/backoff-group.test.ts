import { describe, expect, it } from 'vitest'
import {
  afterFailure,
  afterSuccess,
  afterWave,
  mayFollow,
  nextWaveAt,
  clampToNow,
  pauseEndsAt,
  type BackoffGroup,
  type BackoffTerms,
} from './backoff-group.ts'

const terms: BackoffTerms = { initialMs: 30_000, maxMs: 1_800_000, minHealthyMs: 600_000, patienceMs: 900_000 }
const refused = (at: number) => ({ at, cameUp: false })

it('pauses double from half a minute to half an hour', () => {
  const pauses: number[] = []
  let group: BackoffGroup | undefined
  for (let at = 0, n = 0; n < 8; n++, at = pauseEndsAt(group, terms)) {
    group = afterFailure(group, refused(at), terms)
    pauses.push((pauseEndsAt(group, terms) - at) / 1000)
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800])
})

it('a pause follows the terms of the waiting machine, not of the one that failed', () => {
  const group: BackoffGroup = { failures: 3, failedAt: 1_000 }
  const termsOfGroups = [terms, { ...terms, maxMs: 60_000 }, { ...terms, initialMs: 1_000 }]
  expect(termsOfGroups.map((each) => pauseEndsAt(group, each))).toEqual([121_000, 61_000, 5_000])
})

it('failures of one step are one', () => {
  const group = afterFailure(undefined, refused(0), terms)
  expect(afterFailure(group, refused(29_999), terms)).toBe(group)
  expect(afterFailure(group, refused(30_000), terms).failures).toBe(2)
})

it('a machine that was requested before the failure proves nothing', () => {
  const group = afterFailure(undefined, refused(10_000), terms)
  expect(afterSuccess(group, { requestedAt: 10_000, at: 90_000 })).toBe(group)
  expect(afterSuccess(group, { requestedAt: 11_000, at: 90_000 }).openedAt).toBe(90_000)
})

it('a machine that ran before the failure, by a clock that was set back, proves nothing', () => {
  const group = afterFailure(undefined, refused(10_000), terms)
  expect(afterSuccess(group, { requestedAt: 17_000, at: 9_000 })).toBe(group)
})

it('after a success refusals are counted anew, and what came up and ended is counted on', () => {
  const twice = afterFailure(afterFailure(undefined, refused(0), terms), refused(30_000), terms)
  const open = afterSuccess(twice, { requestedAt: 90_000, at: 95_000 })
  expect(afterFailure(open, refused(95_000), terms)).toBe(open)
  expect(afterFailure(open, refused(96_000), terms).failures).toBe(1)
  expect(afterFailure(open, { at: 96_000, cameUp: true }, terms).failures).toBe(3)
})

it('when it is open two may follow at once, and twice as many with each wave', () => {
  let group = afterSuccess(afterFailure(undefined, refused(0), terms), { requestedAt: 90_000, at: 100_000 })
  const sizes: number[] = []
  for (let now = 100_000; sizes.length < 5; now = nextWaveAt(group, now, terms)) {
    const size = mayFollow(group, now, terms)
    sizes.push(size)
    group = afterWave(group, size)
    expect(mayFollow(group, now + 14_999, terms)).toBe(0)
  }
  expect(sizes).toEqual([2, 2, 4, 8, 16])
})

describe('on a clock that is behind the one it was written by', () => {
  const now = 1_000_000
  const refusedLater = afterFailure(undefined, refused(now + 60_000), terms)

  it('what it tells of last has just been, and pauses are as long as they were', () => {
    const group = clampToNow(refusedLater, now)
    expect(group).toEqual({ failedAt: now, failures: 1 })
    expect(pauseEndsAt(group, terms)).toBe(now + 30_000)
  })

  it('what opened it later does not hide the failures of now', () => {
    const open = clampToNow(afterSuccess(refusedLater, { requestedAt: now + 61_000, at: now + 70_000 }), now)
    expect(open).toEqual({ failures: 1, failedAt: now - 10_000, openedAt: now, released: 0 })
    expect(afterFailure(open, refused(now + 1_000), terms)).toEqual({ failures: 1, failedAt: now + 1_000 })
  })

  it('what has been is left as it is', () => {
    const group = afterFailure(undefined, refused(now), terms)
    expect(clampToNow(group, now)).toBe(group)
  })
})

it('says that nothing was refused until something is, and after that however often the rest is told again', () => {
  const taken = afterFailure(undefined, { at: 1_000, cameUp: true }, terms)
  expect(taken).toMatchObject({ failures: 1, failedAt: 1_000, cameUp: true })
  expect(afterSuccess(taken, { requestedAt: 2_000, at: 3_000 })).toMatchObject({ cameUp: true })
  expect(afterFailure(taken, refused(500), terms), 'from before').toBe(taken)
  const both = afterFailure(taken, refused(2_000), terms)
  expect(both).toEqual({ failures: 1, failedAt: 1_000 })
  expect(afterFailure(both, { at: 1_000, cameUp: true }, terms)).toBe(both)
  expect(afterFailure(both, refused(2_000), terms)).toBe(both)
})
