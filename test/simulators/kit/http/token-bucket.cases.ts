import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

/** Calls one after another: how long after the one before, and how many tokens. */
const calls = fc.array(fc.record({ after: fc.nat(3000), count: fc.integer({ min: 1, max: 4 }) }), { maxLength: 60 })
const sizes = fc.record({ most: fc.integer({ min: 1, max: 8 }), perSecond: fc.integer({ min: 1, max: 20 }) })

interface Taken {
  readonly at: number
  readonly count: number
}

/** Whether from any moment on more was taken than was in the bucket at most and has flown in since. */
function isTooMuch(taken: readonly Taken[], { most, perSecond }: { most: number; perSecond: number }): boolean {
  const end = taken.at(-1)?.at ?? 0
  let sum = 0
  return taken.toReversed().some(({ at, count }) => {
    sum += count
    return 1000 * sum > 1000 * most + perSecond * (end - at)
  })
}

test('it gives all that has flown in and never more, in whatever rhythm it is asked', () => {
  fc.assert(
    fc.property(sizes, calls, (size, sequence) => {
      const bucket = new TokenBucket(size, 0)
      const taken: Taken[] = []
      let at = 0
      for (const { after, count } of sequence) {
        at += after
        const isGiven = bucket.take(count, at)
        expect(isGiven).toBe(!isTooMuch([...taken, { at, count }], size))
        if (isGiven) taken.push({ at, count })
      }
    }),
  )
})

test('a token comes at its millisecond, not a second later', () => {
  const bucket = new TokenBucket({ most: 5, perSecond: 2 }, 0)
  expect(bucket.take(5, 0)).toBe(true)
  expect([499, 500, 501, 999, 1000].map((at) => bucket.take(1, at))).toEqual([false, true, false, false, true])
})
