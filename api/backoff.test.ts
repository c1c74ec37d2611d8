import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBackoff, writeBackoff } from './backoff.ts'
import type { Lane } from './rules/lanes.ts'

const now = Date.UTC(2026, 5, 1)
const pace = { initialMs: 1_000, maxMs: 60_000, minHealthyMs: 0, patienceMs: 1_000 }
const lane: Lane = { failures: 3, failedAt: now - 10_000, until: now + 30_000 }

it('what is written is read again', () => {
  const probe = { machine: 'default/m1', owner: 'MachineDeployment default/md', at: now - 5_000 }
  const lanes = new Map<string, Lane>([
    ['pool a', { ...lane, probe }],
    ['quota b', { ...lane, openedAt: now }],
  ])
  expect(readBackoff(writeBackoff(lanes), { now, pace })).toEqual(lanes)
  expect(writeBackoff(lanes)).toContain('"failedAt":"2026-05-31T23:59:50Z"')
})

it('nothing to remember is no annotation', () => {
  expect(writeBackoff(new Map())).toBeUndefined()
  expect(readBackoff(undefined, { now, pace }).size).toBe(0)
})

it('whatever stands there, it is read without a failure, and holds nobody for longer than the longest pause', () => {
  const time = fc.oneof(fc.string(), fc.constant('2999-01-01T00:00:00Z'), fc.integer(), fc.constant(undefined))
  const anyLane = fc.record({
    failures: fc.oneof(fc.integer(), fc.string()),
    failedAt: time,
    until: time,
    probe: fc.oneof(fc.string(), fc.record({ machine: fc.anything(), owner: fc.anything(), at: time })),
  })
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.dictionary(fc.string(), anyLane).map((all) => JSON.stringify(all)),
  )
  fc.assert(
    fc.property(texts, (text) => {
      for (const read of readBackoff(text, { now, pace }).values()) {
        expect(read.until).toBeLessThanOrEqual(now + pace.maxMs)
        expect(read.failures).toBeGreaterThan(0)
      }
    }),
  )
})
