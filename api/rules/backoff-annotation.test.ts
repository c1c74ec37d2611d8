import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBackoff, readOldBackoff, writeBackoff, type Backoff } from './backoff-annotation.ts'
import type { BackoffGroup } from './backoff-group.ts'

const now = Date.UTC(2026, 5, 1)
const group: BackoffGroup = { failures: 3, failedAt: now - 10_000 }

it('what is written is read again', () => {
  const probe = { machine: 'default/m1', owner: 'MachineDeployment default/md', at: now - 5_000 }
  const backoff: Backoff = new Map([
    ['no policy', new Map<string, BackoffGroup>([['pool a', { ...group, cameUp: true, missedAt: now, probe }]])],
    ['patient', new Map<string, BackoffGroup>([['quota b', { ...group, openedAt: now, released: 2 }]])],
  ])
  expect(readBackoff(writeBackoff(backoff))).toEqual(backoff)
  expect(writeBackoff(backoff)).toContain('"failedAt":"2026-05-31T23:59:50Z"')
})

it('the time of the next try is neither read nor written, because it depends on the policy', () => {
  const until = '2999-01-01T00:00:00Z'
  const text = JSON.stringify({ p: { 'pool a': { failures: 3, failedAt: '2026-05-31T23:59:50Z', until } } })
  expect(readBackoff(text)).toEqual(new Map([['p', new Map([['pool a', group]])]]))
  expect(writeBackoff(readBackoff(text))).not.toContain('until')
})

it('what stood on a MachineDeployment before is read without its time', () => {
  const old = { failures: 3, failedAt: '2026-05-31T23:59:50Z', until: '2026-06-01T00:02:00Z' }
  expect(readOldBackoff(JSON.stringify({ 'pool a': old, 'pool b': { until: old.until } }))).toEqual(
    new Map([['pool a', group]]),
  )
})

it('nothing to remember is no annotation', () => {
  expect(writeBackoff(new Map())).toBeUndefined()
  expect(writeBackoff(new Map([['p', new Map()]]))).toBeUndefined()
  expect(readBackoff(undefined).size).toBe(0)
})

it('the object has room for it, however much there is: what failed last is kept', () => {
  const many = Array.from(
    { length: 2_000 },
    (_, n) => [`${n} ${'x'.repeat(200)}`, { ...group, failedAt: now + n * 1_000 }] as const,
  )
  const text = writeBackoff(new Map([['p', new Map(many)]])) ?? ''
  expect(text.length).toBeLessThanOrEqual(128 * 1024)
  const kept = [...(readBackoff(text).get('p')?.values() ?? [])].map(({ failedAt }) => failedAt)
  expect(kept.length).toBeGreaterThan(400)
  expect(Math.min(...kept)).toBe(now + (2_000 - kept.length) * 1_000)
})

it('whatever stands there, what is read of it is well formed', () => {
  const time = fc.oneof(fc.string(), fc.constant('2999-01-01T00:00:00Z'), fc.integer(), fc.constant(undefined))
  const anyGroup = fc.record({
    failures: fc.oneof(fc.integer(), fc.string(), fc.double()),
    failedAt: time,
    missedAt: time,
    openedAt: time,
    released: fc.anything(),
    probe: fc.oneof(fc.string(), fc.record({ machine: fc.anything(), owner: fc.anything(), at: time })),
  })
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.dictionary(fc.string(), fc.dictionary(fc.string(), anyGroup)).map((all) => JSON.stringify(all)),
  )
  fc.assert(
    fc.property(texts, (text) => {
      for (const read of [...readBackoff(text).values()].flatMap((groups) => [...groups.values()])) {
        expect(Number.isSafeInteger(read.failures) && read.failures > 0 && read.failures <= 1_000_000).toBe(true)
        for (const at of [read.failedAt, read.missedAt ?? 0, read.openedAt ?? 0, read.probe?.at ?? 0]) {
          expect(Number.isNaN(at)).toBe(false)
        }
      }
    }),
  )
})
