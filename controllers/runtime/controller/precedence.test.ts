import { beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { Precedence } from './precedence.ts'

let clock: FakeClock
let urgent: number
let precedence: Precedence

beforeEach(() => {
  clock = new FakeClock()
  urgent = 0
  precedence = new Precedence({ clock })
  precedence.give({
    queue: {
      get urgent() {
        return urgent
      },
    },
    backlog: 16,
  })
})

const isHeld = () => precedence.why() !== undefined

it('others wait while many keys are urgent, and not before or after', () => {
  urgent = 16
  expect(isHeld()).toBe(false)
  urgent = 17
  expect(isHeld()).toBe(true)
  urgent = 3
  expect(isHeld()).toBe(false)
})

it('others wait for thirty seconds at most, and then run for ten seconds', async () => {
  urgent = 1_000
  const seen: boolean[] = []
  for (let second = 0; second < 45; second++) {
    seen.push(isHeld())
    await clock.advance(1_000)
  }
  const expected = Array.from({ length: 45 }, (_, second) => second < 30 || second >= 40)
  expect(seen).toEqual(expected)
})
