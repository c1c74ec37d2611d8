import fc from 'fast-check'
import { expect, it } from 'vitest'
import { soonest, type Next } from './result.ts'

const nexts = fc.array(
  fc.oneof(fc.constant<Next>('done'), fc.record({ after: fc.nat(), why: fc.constantFrom('boot', 'delete', 'quota') })),
)

it('chooses one that is due no later than any other', () => {
  fc.assert(
    fc.property(nexts, (given) => {
      const delays = given.map((next) => (next === 'done' ? Infinity : next.after))
      const least = Math.min(...delays)
      expect(soonest(...given)).toBe(least === Infinity ? 'done' : given[delays.indexOf(least)])
    }),
  )
})

it('has nothing to do when nobody asked for anything', () => {
  expect(soonest()).toBe('done')
})
