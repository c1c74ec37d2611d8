import fc from 'fast-check'
import { expect, it } from 'vitest'
import { soonestRequeue, type Result } from './result.ts'

const nexts = fc.array(
  fc.oneof(
    fc.constant<Result>('done'),
    fc.record({ requeueAfterMs: fc.nat(), reason: fc.constantFrom('boot', 'delete', 'quota') }),
  ),
)

it('chooses one that is due no later than any other', () => {
  fc.assert(
    fc.property(nexts, (given) => {
      const delays = given.map((next) => (next === 'done' ? Infinity : next.requeueAfterMs))
      const least = Math.min(...delays)
      expect(soonestRequeue(...given)).toBe(least === Infinity ? 'done' : given[delays.indexOf(least)])
    }),
  )
})

it('has nothing to do when nobody asked for anything', () => {
  expect(soonestRequeue()).toBe('done')
})
