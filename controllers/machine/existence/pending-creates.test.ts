import { expect, it } from 'vitest'
import { PendingCreates } from './pending-creates.ts'

const twoMinutes = 120_000

it('nothing can come of a token with which nobody has asked', () => {
  const pendingCreates = new PendingCreates()
  pendingCreates.wrote('m1', 'a')
  expect(pendingCreates.left('m1', 'a', 0)).toBe(0)
})

it('of a call without an answer something may come for as long as it can travel and be hidden', () => {
  const pendingCreates = new PendingCreates()
  pendingCreates.wrote('m1', 'a')
  pendingCreates.asked('m1', 'a', 1_000)
  expect(pendingCreates.left('m1', 'a', 1_000)).toBe(twoMinutes)
  expect(pendingCreates.left('m1', 'a', 1_000 + twoMinutes)).toBe(0)
})

it('a definite no takes back its own call, and not the one before', () => {
  const pendingCreates = new PendingCreates()
  pendingCreates.wrote('m1', 'a')
  pendingCreates.asked('m1', 'a', 0).refused()
  expect(pendingCreates.left('m1', 'a', 0)).toBe(0)
  pendingCreates.asked('m1', 'a', 10)
  pendingCreates.asked('m1', 'a', 500).refused()
  expect(pendingCreates.left('m1', 'a', 500)).toBe(twoMinutes - 490)
})

it('what another process may have done with a token is not known: its time begins with the first question', () => {
  const pendingCreates = new PendingCreates()
  expect(pendingCreates.left('m1', 'a', 5_000)).toBe(twoMinutes)
  expect(pendingCreates.left('m1', 'a', 65_000)).toBe(twoMinutes - 60_000)
  expect(pendingCreates.left('m1', 'b', 65_000)).toBe(twoMinutes)
})

it('what the cloud has begun to end is believed to be gone, unless a call before it may make another', () => {
  const pendingCreates = new PendingCreates()
  pendingCreates.wrote('m1', 'a')
  pendingCreates.asked('m1', 'a', 0).lost(4_000)
  expect(pendingCreates.left('m1', 'a', 5_000)).toBe(twoMinutes - 1_000)
  pendingCreates.ending('m1', 'a')
  expect(pendingCreates.left('m1', 'a', 5_000)).toBe(0)

  pendingCreates.wrote('m2', 'b')
  pendingCreates.asked('m2', 'b', 0).lost(4_000)
  pendingCreates.asked('m2', 'b', 10_000)
  pendingCreates.ending('m2', 'b')
  expect(pendingCreates.left('m2', 'b', 20_000)).toBe(twoMinutes - 16_000)
})

it('what an older list does not show may come all the same, however long ago the call was', () => {
  const pendingCreates = new PendingCreates()
  pendingCreates.wrote('m1', 'a')
  pendingCreates.asked('m1', 'a', 1_000)
  expect(pendingCreates.othersLeft('m1', undefined, 500)).toBe(twoMinutes + 500)
  expect(pendingCreates.othersLeft('m1', undefined, Number.NEGATIVE_INFINITY)).toBe(Infinity)
  expect(pendingCreates.othersLeft('m1', undefined, 1_000 + twoMinutes)).toBe(0)
})

it('a token that takes the place of another does not end the time of that one', () => {
  const pendingCreates = new PendingCreates()
  pendingCreates.wrote('m1', 'b')
  pendingCreates.asked('m1', 'b', 1_000)
  expect(pendingCreates.othersLeft('m1', 'b', 2_000)).toBe(0)
  pendingCreates.left('m1', 'a', 61_000)
  expect(pendingCreates.othersLeft('m1', 'a', 61_000)).toBe(twoMinutes - 60_000)
  expect(pendingCreates.othersLeft('m1', undefined, 61_000)).toBe(twoMinutes)
})

it('a token is unsent until a call with it is on the wire, whatever the answer', () => {
  const pendingCreates = new PendingCreates()
  expect(pendingCreates.isUnsent('m1', 'a')).toBe(false)
  pendingCreates.wrote('m1', 'a')
  pendingCreates.asked('m1', 'a', 0).heldBack()
  expect([pendingCreates.isUnsent('m1', 'a'), pendingCreates.left('m1', 'a', 1_000)]).toEqual([true, 0])
  pendingCreates.asked('m1', 'a', 1_000).refused()
  expect([pendingCreates.isUnsent('m1', 'a'), pendingCreates.isUnused('m1', 'a')]).toEqual([false, true])
})
