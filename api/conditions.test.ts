import { expect, it } from 'vitest'
import { rfc3339, setCondition, type Condition } from './conditions.ts'

const then = Date.UTC(2026, 0, 1)
const later = then + 60_000
const ready = { type: 'Ready', status: 'True', reason: 'Running', message: 'It runs.', observedGeneration: 1 } as const

it('keeps the time of the last transition while the status is the same', () => {
  const list = setCondition([], ready, then)
  const [changed] = setCondition(list, { ...ready, message: 'It still runs.' }, later)
  expect(changed).toMatchObject({ message: 'It still runs.', lastTransitionTime: rfc3339(then) })
})

it('notes the time when the status changes', () => {
  const list = setCondition([], ready, then)
  const [changed] = setCondition(list, { ...ready, status: 'False', reason: 'Interrupted' }, later)
  expect(changed).toMatchObject({ status: 'False', lastTransitionTime: rfc3339(later) })
})

it('answers with the very same list when nothing changed', () => {
  const list = setCondition([], ready, then)
  expect(setCondition(list, ready, later)).toBe(list)
})

it('leaves the others alone', () => {
  const other: Condition = {
    type: 'Paused',
    status: 'False',
    reason: 'NotPaused',
    message: '',
    lastTransitionTime: rfc3339(then),
  }
  expect(setCondition([other], ready, later)).toEqual([other, { ...ready, lastTransitionTime: rfc3339(later) }])
})

it('writes times without milliseconds, as core truncates them', () => {
  expect(rfc3339(then + 999)).toBe('2026-01-01T00:00:00Z')
})
