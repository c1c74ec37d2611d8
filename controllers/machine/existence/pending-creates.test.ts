import { expect, it } from 'vitest'
import { Doubts } from './pending-creates.ts'

const twoMinutes = 120_000

it('nothing can come of a token with which nobody has asked', () => {
  const doubts = new Doubts()
  doubts.wrote('m1', 'a')
  expect(doubts.left('m1', 'a', 0)).toBe(0)
})

it('of a call without an answer something may come for as long as it can travel and be hidden', () => {
  const doubts = new Doubts()
  doubts.wrote('m1', 'a')
  doubts.asked('m1', 'a', 1_000)
  expect(doubts.left('m1', 'a', 1_000)).toBe(twoMinutes)
  expect(doubts.left('m1', 'a', 1_000 + twoMinutes)).toBe(0)
})

it('a definite no takes back its own call, and not the one before', () => {
  const doubts = new Doubts()
  doubts.wrote('m1', 'a')
  doubts.asked('m1', 'a', 0).refused()
  expect(doubts.left('m1', 'a', 0)).toBe(0)
  doubts.asked('m1', 'a', 10)
  doubts.asked('m1', 'a', 500).refused()
  expect(doubts.left('m1', 'a', 500)).toBe(twoMinutes - 490)
})

it('what another process may have done with a token is not known: its time begins with the first question', () => {
  const doubts = new Doubts()
  expect(doubts.left('m1', 'a', 5_000)).toBe(twoMinutes)
  expect(doubts.left('m1', 'a', 65_000)).toBe(twoMinutes - 60_000)
  expect(doubts.left('m1', 'b', 65_000)).toBe(twoMinutes)
})

it('what the cloud has begun to end is believed to be gone, unless a call before it may make another', () => {
  const doubts = new Doubts()
  doubts.wrote('m1', 'a')
  doubts.asked('m1', 'a', 0).lost(4_000)
  expect(doubts.left('m1', 'a', 5_000)).toBe(twoMinutes - 1_000)
  doubts.ending('m1', 'a')
  expect(doubts.left('m1', 'a', 5_000)).toBe(0)

  doubts.wrote('m2', 'b')
  doubts.asked('m2', 'b', 0).lost(4_000)
  doubts.asked('m2', 'b', 10_000)
  doubts.ending('m2', 'b')
  expect(doubts.left('m2', 'b', 20_000)).toBe(twoMinutes - 16_000)
})

it('what an older list does not show may come all the same, however long ago the call was', () => {
  const doubts = new Doubts()
  doubts.wrote('m1', 'a')
  doubts.asked('m1', 'a', 1_000)
  expect(doubts.othersLeft('m1', undefined, 500)).toBe(twoMinutes + 500)
  expect(doubts.othersLeft('m1', undefined, Number.NEGATIVE_INFINITY)).toBe(Infinity)
  expect(doubts.othersLeft('m1', undefined, 1_000 + twoMinutes)).toBe(0)
})

it('a token that takes the place of another does not end the time of that one', () => {
  const doubts = new Doubts()
  doubts.wrote('m1', 'b')
  doubts.asked('m1', 'b', 1_000)
  expect(doubts.othersLeft('m1', 'b', 2_000)).toBe(0)
  doubts.left('m1', 'a', 61_000)
  expect(doubts.othersLeft('m1', 'a', 61_000)).toBe(twoMinutes - 60_000)
  expect(doubts.othersLeft('m1', undefined, 61_000)).toBe(twoMinutes)
})
