import { expect, it } from 'vitest'
import { admitBatch, waitingAtOnce, type Due } from './batch.ts'

function due(count: number, over: Partial<Due> & { from?: number } = {}): Due[] {
  const { from = 0, ...rest } = over
  const numbers = Array.from({ length: count }, (_, n) => from + n)
  return numbers.map((n) => ({ key: `m${n}`, owner: 'a', isReleased: false, isManaged: true, ...rest }))
}

it('few are marked all at once', () => {
  expect(admitBatch(due(waitingAtOnce)).size).toBe(waitingAtOnce)
})

it('a limited number of Machines waits at a time, and each that goes makes room for the next', () => {
  const first = admitBatch(due(200))
  expect(first.size).toBe(waitingAtOnce)
  const marked = due(200).map((one) => ({ ...one, isReleased: first.has(one.key) }))
  expect(admitBatch(marked)).toEqual(first)
  const left = marked.slice(5)
  const second = admitBatch(left)
  expect(second.size).toBe(waitingAtOnce)
  expect([...second].filter((key) => !first.has(key))).toHaveLength(5)
})

it('owners do not wait for each other', () => {
  expect(admitBatch([...due(40), ...due(40, { owner: 'b', from: 40 })]).size).toBe(2 * waitingAtOnce)
})

it('a Machine that somebody else’s health check removes is marked at once', () => {
  expect(admitBatch([...due(40), ...due(40, { isManaged: false, from: 40 })]).size).toBe(waitingAtOnce + 40)
})
