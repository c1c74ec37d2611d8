import { beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { Precedence } from './precedence.ts'

let clock: FakeClock
let ready: number
let precedence: Precedence

beforeEach(() => {
  clock = new FakeClock()
  ready = 0
  precedence = new Precedence({ clock })
  precedence.give({ queue: { depth: { ready, delayed: 0, taken: 0 } }, backlog: 16 })
  const depth = () => ({ ready, delayed: 9, taken: 16 })
  precedence.give({
    queue: {
      get depth() {
        return depth()
      },
    },
    backlog: 16,
  })
})

const isHeld = () => precedence.why() !== undefined

it('others wait while there are more keys than workers, and not before or after', () => {
  ready = 16
  expect(isHeld()).toBe(false)
  ready = 17
  expect(isHeld()).toBe(true)
  ready = 3
  expect(isHeld()).toBe(false)
})

it('others wait for thirty seconds at most, and then run for ten seconds', async () => {
  ready = 1_000
  const seen: boolean[] = []
  for (let second = 0; second < 45; second++) {
    seen.push(isHeld())
    await clock.advance(1_000)
  }
  const expected = Array.from({ length: 45 }, (_, second) => second < 30 || second >= 40)
  expect(seen).toEqual(expected)
})
