import fc from 'fast-check'
import { expect, it } from 'vitest'
import { soonest, type Next } from './next.ts'

const nexts = fc.array(
  fc.oneof(fc.constant<Next>('done'), fc.record({ after: fc.nat(), why: fc.constantFrom('boot', 'delete', 'quota') })),
)

it('chooses one that is due no later than any other', () => {
  fc.assert(
    fc.property(nexts, (given) => {
      const chosen = soonest(...given)
      const delays = given.flatMap((next) => (next === 'done' ? [] : [next.after]))
      if (delays.length === 0) expect(chosen).toBe('done')
      else expect(chosen).toBe(given.find((next) => next !== 'done' && next.after === Math.min(...delays)))
    }),
  )
})

it('has nothing to do when nobody asked for anything', () => {
  expect(soonest()).toBe('done')
})
