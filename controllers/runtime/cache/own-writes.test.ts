import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OwnWrites } from './own-writes.ts'

const object = (uid: string, version: number) => ({ metadata: { name: uid, uid, resourceVersion: String(version) } })

it('knows nothing of objects that we never wrote', () => {
  expect(new OwnWrites().isIn(object('a', 1), 0)).toBe(true)
})

it('an object is up to date from our last write on, whatever order things come in', () => {
  const versions = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1 })
  fc.assert(
    fc.property(versions, fc.integer({ min: 1, max: 1_000 }), (written, cached) => {
      const writes = new OwnWrites()
      const rising = written.toSorted((a, b) => a - b)
      for (const version of rising) writes.note(object('a', version), 0)
      expect(writes.isIn(object('a', cached), 0)).toBe(cached >= (rising.at(-1) ?? 0))
      expect(writes.isIn(object('b', cached), 0)).toBe(true)
    }),
  )
})

it('compares versions as numbers, not as text', () => {
  const writes = new OwnWrites()
  writes.note(object('a', 1000), 0)
  expect(writes.isIn(object('a', 999), 0)).toBe(false)
})

it('does not wait for ever for a write that etcd has lost', () => {
  const writes = new OwnWrites()
  writes.note(object('a', 1000), 0)
  expect(writes.isIn(object('a', 5), 29_999)).toBe(false)
  expect(writes.isIn(object('a', 5), 30_000)).toBe(true)
  expect(writes.isIn(object('a', 4), 30_000)).toBe(true)
})

it('waits for nothing when the object went with the write: when it is back, etcd was put back to an older copy', () => {
  const writes = new OwnWrites()
  writes.note(object('a', 1000), 0)
  const deletionTimestamp = '2026-01-01T00:00:00Z'
  const leaving = object('a', 1001)
  writes.note({ metadata: { ...leaving.metadata, deletionTimestamp, finalizers: ['of-another'] } }, 0)
  expect(writes.isIn(object('a', 900), 0)).toBe(false)
  writes.note({ metadata: { ...leaving.metadata, deletionTimestamp } }, 0)
  expect(writes.isIn(object('a', 900), 0)).toBe(true)
})

it('a cache that stands still for half a minute has its object read afresh', () => {
  const writes = new OwnWrites()
  writes.note(object('a', 1000), 0)
  expect(writes.isUncertain(object('a', 999), 29_999)).toBe(false)
  expect(writes.isUncertain(object('a', 1000), 30_000)).toBe(false)
  expect(writes.isUncertain(object('a', 999), 30_000)).toBe(true)
  writes.note(object('a', 1001), 30_000)
  expect(writes.isUncertain(object('a', 999), 30_000)).toBe(false)
})
