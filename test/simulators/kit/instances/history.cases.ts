import fc from 'fast-check'
import { expect, test } from 'vitest'
import { History } from './history.ts'

interface Thing {
  word: string
  tags: readonly string[]
}

const minute = 60_000
const launchedAt = 1_000_000

const launched = (): Thing => ({ word: 'launched', tags: [] })

test('it knows what the instance looked like at any time of the last minutes, and forgets what came before', () => {
  const steps = fc.array(fc.nat(4 * minute), { maxLength: 40 })
  fc.assert(
    fc.property(steps, fc.nat(15 * minute - 1), (waits, back) => {
      const instance = launched()
      const history = new History(instance, launchedAt)
      const changes = [{ at: launchedAt, word: 'launched' }]
      let now = launchedAt
      for (const [step, wait] of waits.entries()) {
        now += wait
        instance.word = `change ${step}`
        history.note(now)
        changes.push({ at: now, word: instance.word })
      }
      const moment = now - back
      const expected = changes.findLast(({ at }) => at <= moment) ?? changes[0]
      expect(history.at(moment).word).toBe(expected?.word)
      expect(history.latest.word).toBe(instance.word)
    }),
  )
})

test('a version never changes after it was made', () => {
  const instance = launched()
  const history = new History(instance, launchedAt)
  const before = history.latest
  instance.tags = ['a']
  history.note(launchedAt + 1)
  expect(before.tags).toEqual([])
  expect(history.latest).not.toBe(before)
  expect(history.known(launchedAt + 1)?.tags).toEqual(['a'])
})

test('nothing is known of the time before it was there, where it looks as it did at first', () => {
  const history = new History(launched(), launchedAt)
  expect(history.known(launchedAt - 1)).toBeUndefined()
  expect(history.at(launchedAt - 1)).toBe(history.latest)
})
