import fc from 'fast-check'
import { expect, it } from 'vitest'
import { waitsUntil, type TurnFacts } from './turn.ts'

const now = Date.UTC(2026, 0, 1, 12)
const minutes = (m: number) => m * 60_000
const free: TurnFacts = {
  ahead: { count: 0, isBusy: false },
  maxAhead: undefined,
  isReplaceable: true,
  runningSince: now - minutes(60),
  minHealthyMs: minutes(10),
  shutUntil: undefined,
  now,
}

it('begins when nothing speaks against it', () => {
  expect(waitsUntil(free)).toBeUndefined()
  expect(waitsUntil({ ...free, runningSince: now - minutes(10), shutUntil: now, maxAhead: 1 })).toBeUndefined()
})

it.each<[string, Partial<TurnFacts>, number]>([
  ['another planned one of its owner has begun', { ahead: { count: 1, isBusy: true } }, now + minutes(0.5)],
  ['its owner has maxAhead replacements', { ahead: { count: 2, isBusy: false }, maxAhead: 2 }, now + minutes(0.5)],
  ['another would have an old template', { isReplaceable: false }, now + minutes(0.5)],
  ['it has not run yet', { runningSince: undefined }, now + minutes(0.5)],
  ['it is young', { runningSince: now - minutes(3) }, now + minutes(7)],
  ['its offering is in a pause', { shutUntil: now + 5_000 }, now + 5_000],
  ['nothing is known of its offering', { shutUntil: Infinity }, now + minutes(0.5)],
])('waits while %s, and then looks again', (_, over, at) => {
  expect(waitsUntil({ ...free, ...over })).toBe(at)
})

it('never looks again in the past, and never beside another planned one', () => {
  const facts = fc.record({
    ahead: fc.record({ count: fc.nat(4), isBusy: fc.boolean() }),
    maxAhead: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    isReplaceable: fc.boolean(),
    runningSince: fc.option(fc.integer({ min: now - minutes(90), max: now + minutes(5) }), { nil: undefined }),
    minHealthyMs: fc.nat(minutes(60)),
    shutUntil: fc.option(fc.integer({ min: now - minutes(5), max: now + minutes(30) }), { nil: undefined }),
    now: fc.constant(now),
  })
  fc.assert(
    fc.property(facts, (one) => {
      const { ahead, maxAhead = Infinity, runningSince = Infinity, minHealthyMs } = one
      const mayBegin = !ahead.isBusy && ahead.count < maxAhead && now - runningSince >= minHealthyMs
      const until = waitsUntil(one)
      expect(until === undefined ? mayBegin : until > now).toBe(true)
    }),
  )
})
