import { expect, it } from 'vitest'
import { longestWaitMs, turnsOf, type Needs } from './turn.ts'

const buckets = { slow: { burst: 10, perSecond: 1 }, fast: { burst: 10, perSecond: 100 } }
type Action = 'make' | 'look' | 'makeMany'
const needs: Readonly<Record<Action, Needs<keyof typeof buckets>>> = {
  make: { bucket: 'slow', priority: 'launch' },
  look: { bucket: 'fast', priority: 'describe' },
  makeMany: { bucket: 'fast', also: { slow: 1 }, priority: 'launch' },
}
const turnFor = turnsOf({ buckets, needsOf: (action: Action) => needs[action] })

it('takes what the table says, for the one who asked', () => {
  expect(turnFor({ action: 'makeMany', key: 'token', whose: 'tenant' })).toEqual({
    bucket: 'fast',
    also: { slow: 1 },
    priority: 'launch',
    key: 'token',
    whose: 'tenant',
    maxWaitMs: longestWaitMs,
  })
})

it('waits for four turns of the slowest bucket, never longer than a worker may be held, or as its caller says', () => {
  expect(turnFor({ action: 'look' }).maxWaitMs).toBe(40)
  expect(turnFor({ action: 'make' }).maxWaitMs).toBe(longestWaitMs)
  expect(turnFor({ action: 'makeMany' }).maxWaitMs).toBe(longestWaitMs)
  expect(turnFor({ action: 'look', maxWaitMs: Infinity }).maxWaitMs).toBe(Infinity)
})
