import fc from 'fast-check'
import { expect, test } from 'vitest'
import { History } from './history.ts'
import type { Instance } from './instance.ts'

const minute = 60_000
const launchedAt = 1_000_000

/** Only what a history looks at. */
const launched = () => ({ launchedAt, transition: 'launched', tags: [] }) as unknown as Instance

test('it knows what the instance looked like at any time of the last minutes, and forgets what came before', () => {
  const steps = fc.array(fc.nat(4 * minute), { maxLength: 40 })
  fc.assert(
    fc.property(steps, fc.nat(15 * minute - 1), (waits, back) => {
      const instance = launched()
      const history = new History(instance)
      const changes = [{ at: launchedAt, word: 'launched' }]
      let now = launchedAt
      for (const [step, wait] of waits.entries()) {
        now += wait
        instance.transition = `change ${step}`
        history.note(now)
        changes.push({ at: now, word: instance.transition })
      }
      const moment = now - back
      const expected = changes.findLast(({ at }) => at <= moment) ?? changes[0]
      expect(history.at(moment).transition).toBe(expected?.word)
      expect(history.latest.transition).toBe(instance.transition)
    }),
  )
})

test('a version never changes after it was made', () => {
  const instance = launched()
  const history = new History(instance)
  const before = history.latest
  instance.tags = [{ key: 'a', value: '1' }]
  history.note(launchedAt + 1)
  expect(before.tags).toEqual([])
  expect(history.latest).not.toBe(before)
  expect(history.tagsAt(launchedAt + 1)).toEqual([{ key: 'a', value: '1' }])
  expect(history.tagsAt(launchedAt - 1)).toEqual([])
})
