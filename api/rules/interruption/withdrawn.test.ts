import { describe, expect, it } from 'vitest'
import type { Interruption } from '../../interruption.ts'
import type { Notice } from '../../notice.ts'
import { isWithdrawn, type Listed } from './withdrawn.ts'

const decidedAt = Date.UTC(2026, 0, 1)
const deadline = Date.UTC(2026, 0, 8, 12, 0, 0, 500)
const decided: Interruption = {
  for: 'default/m1',
  instance: 'i-1',
  kind: 'Maintenance',
  source: 'Status',
  at: '2026-01-01T00:00:00Z',
  deadline: '2026-01-08T12:00:00Z',
  act: 'Cordon',
}
const listed = (over: Partial<Listed> = {}): Listed => ({
  source: 'Status',
  begunAt: decidedAt + 1,
  up: new Set(['i-1']),
  noticed: new Set(),
  over: [],
  ...over,
})
const event = (over: Partial<Notice> = {}): Notice => ({
  instance: 'i-1',
  kind: 'Maintenance',
  at: decidedAt,
  deadline,
  source: 'Status',
  ...over,
})

describe('a notice that is shown no longer', () => {
  it('is taken back when two lists lack it', () => {
    expect(isWithdrawn(decided, [listed(), listed()])).toBe(true)
  })

  it.each<[string, Listed[]]>([
    ['no list, as after a start or a failure', []],
    ['one list, which may be late', [listed()]],
    ['one of two that shows it', [listed(), listed({ noticed: new Set(['i-1']) })]],
    ['the last of two that shows it', [listed({ noticed: new Set(['i-1']) }), listed()]],
    ['two, of which one began before the decision', [listed(), listed({ begunAt: decidedAt - 1 })]],
    ['two of another source', [listed({ source: 'SpotRequests' }), listed({ source: 'SpotRequests' })]],
    ['two, of which one is of instances of others', [listed(), listed({ up: new Set(['i-2']) })]],
  ])('is not taken back by %s', (_, lists) => expect(isWithdrawn(decided, lists)).toBe(false))
})

describe('a notice that is shown as over', () => {
  it('is taken back by one list, even if another source announced the same', () => {
    const lists = [listed({ over: [event()] })]
    expect(isWithdrawn(decided, lists)).toBe(true)
    expect(isWithdrawn({ ...decided, source: 'Queue' }, lists)).toBe(true)
  })

  it.each<[string, Partial<Listed>]>([
    ['another one holds', { over: [event()], noticed: new Set(['i-1']) }],
    ['it is of another time: EC2 shows events for a week after their end', { over: [event({ deadline: 1 })] }],
    ['it has no time', { over: [event({ deadline: undefined as never })] }],
    ['it is of another instance', { over: [event({ instance: 'i-2' })] }],
    ['it is of another kind', { over: [event({ kind: 'Spot' })] }],
  ])('is not taken back where %s', (_, over) => expect(isWithdrawn(decided, [listed(over)])).toBe(false))
})
