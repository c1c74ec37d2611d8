import { beforeEach, expect, it } from 'vitest'
import type { Lane } from '../../api/rules/lanes.ts'
import { CapacityMemory } from './memory.ts'

const now = Date.UTC(2026, 0, 1)
const lane: Lane = { failures: 1, failedAt: now, until: now + 30_000 }
const lanes = (...all: [string, Lane][]) => new Map(all)

let woken: string[]
let memory: CapacityMemory

beforeEach(() => {
  woken = []
  memory = new CapacityMemory((who) => woken.push(who))
})

it('whoever waits in a lane is woken when another learns something about it', () => {
  memory.keep(lanes(['pool', lane]), { who: 'a', waitsIn: new Set(['pool']), now })
  memory.keep(lanes(['pool', lane]), { who: 'b', waitsIn: new Set(['pool']), now })
  expect(woken).toEqual([])
  memory.keep(lanes(['pool', { ...lane, openedAt: now }]), { who: 'b', waitsIn: new Set(), now })
  expect(woken).toEqual(['a'])
  memory.keep(lanes(), { who: 'a', waitsIn: new Set(), now })
  expect(woken).toEqual(['a'])
})

it('an annotation that knows less changes nothing, and one that knows more does', () => {
  memory.keep(lanes(['pool', lane]), { who: 'a', waitsIn: new Set(), now })
  memory.absorb(lanes(['pool', { ...lane, failures: 9, failedAt: now - 1 }]))
  expect(memory.lanes.get('pool')).toBe(lane)
  memory.absorb(lanes(['pool', { ...lane, failures: 2, failedAt: now + 1 }], ['other', lane]))
  expect([...memory.lanes.values()].map(({ failures }) => failures)).toEqual([2, 1])
})

it('what nobody has spoken of for a day is dropped', () => {
  const old = { ...lane, until: now - 24 * 60 * 60_000 }
  memory.keep(lanes(['old', old], ['pool', lane]), { who: 'a', waitsIn: new Set(), now })
  expect([...memory.lanes.keys()]).toEqual(['pool'])
})
