import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { joined, type GroupFacts } from '../../api/rules/group-facts.ts'
import { CapacityMemory } from './memory.ts'

const now = Date.UTC(2026, 0, 1)
const [a, b] = ['a', 'b'].map((cluster) => ({ cluster, policyKey: 'no policy' })) as [Who, Who]
interface Who {
  cluster: string
  policyKey: string
}
const nothing = { waitsIn: new Set<string>(), tries: new Map<string, number>() }
const waiting = { ...nothing, waitsIn: new Set(['pool']) }
const told = (facts: GroupFacts, group = 'pool') => new Map([[group, facts]])

let woken: string[]
let memory: CapacityMemory

beforeEach(() => {
  woken = []
  memory = new CapacityMemory((cluster) => woken.push(cluster))
})

it('a Cluster that waits in a group is requeued by facts of another, and not by its own', () => {
  memory.record(told({ refusedAt: now }), { cluster: 'a', now })
  memory.note(a, waiting)
  memory.record(told({ refusedAt: now }), { cluster: 'b', now })
  memory.record(told({ refusedAt: now + 1 }, 'another'), { cluster: 'b', now })
  expect(woken).toEqual([])
  memory.record(told({ served: { requestedAt: now, at: now + 1 } }), { cluster: 'b', now })
  expect(woken).toEqual(['a'])
  memory.record(told({ refusedAt: now + 2 }), { cluster: 'a', now })
  expect(woken).toEqual(['a'])
})

it('keeps no more groups than there may be, and what is still told stands there again', () => {
  memory.record(told({ refusedAt: now }), { cluster: 'a', now })
  const flood = Array.from({ length: 30_000 }, (_, n) => [`launch ${n}`, { refusedAt: now }] as const)
  memory.record(new Map(flood), { cluster: 'b', now })
  expect(memory.size).toBe(10_000)
  memory.record(told({ refusedAt: now }), { cluster: 'a', now })
  expect(memory.factsFor(b, 'pool')).toEqual({ refusedAt: now })
})

it('a waiting Cluster sees the tries of others, not its own, and is requeued at their end', () => {
  memory.note(a, waiting)
  memory.note(b, { ...waiting, tries: new Map([['pool', now]]) })
  expect(memory.factsFor(a, 'pool')).toEqual({ triedSince: now })
  expect(memory.factsFor(b, 'pool')).toEqual({})
  memory.retain('b', new Set())
  expect(memory.factsFor(a, 'pool')).toEqual({})
  expect(woken).toEqual(['a', 'a'])
})

it('a group without facts for a day is dropped, and old facts requeue no Cluster', () => {
  const day = 24 * 60 * 60_000
  memory.note(a, waiting)
  memory.record(told({ refusedAt: now }), { cluster: 'b', now })
  memory.record(told({ refusedAt: now + day }, 'another'), { cluster: 'b', now: now + day })
  expect(memory.factsFor(a, 'pool')).toEqual({})
  woken = []
  memory.record(told({ refusedAt: now }), { cluster: 'b', now: now + day })
  expect(woken).toEqual([])
})

const times = fc.integer({ min: 0, max: 10 })
const facts: fc.Arbitrary<GroupFacts> = fc.record(
  { refusedAt: times, endedAt: times, served: fc.record({ requestedAt: times, at: times }) },
  { requiredKeys: [] },
)

it('facts may be told twice and in any order', () => {
  fc.assert(
    fc.property(facts, facts, facts, (x, y, z) => {
      expect(joined(x, x)).toEqual(x)
      expect(joined(x, y)).toEqual(joined(y, x))
      expect(joined(joined(x, y), z)).toEqual(joined(x, joined(y, z)))
    }),
  )
})

it('a Cluster that has told nothing yet knows of no open group, and a failure shuts one until something is known to run', () => {
  const shutUntil = () => memory.shutUntil('a', ['other', 'pool'], 1_800_000)
  expect(shutUntil()).toBe(Infinity)
  memory.record(new Map(), { cluster: 'a', now })
  expect(shutUntil()).toBeUndefined()
  memory.record(told({ refusedAt: now - 1 }), { cluster: 'b', now })
  expect(shutUntil()).toBe(now - 1 + 1_800_000)
  memory.record(told({ served: { requestedAt: now - 2, at: now + 5 } }), { cluster: 'b', now })
  expect(shutUntil()).toBe(now - 1 + 1_800_000)
  memory.record(told({ served: { requestedAt: now, at: now + 5 } }), { cluster: 'b', now })
  expect(shutUntil()).toBeUndefined()
  memory.retain('a', new Set())
  expect(shutUntil()).toBe(Infinity)
})
