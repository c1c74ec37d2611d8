import { expect, it } from 'vitest'
import { idleMs, WhileUsed } from './while-used.ts'

it('makes one of each, and the same is there for whoever asks again', () => {
  const kept = new WhileUsed<object>()
  const first = kept.get('a', () => ({}), 0)
  expect(kept.get('a', () => ({}), idleMs - 1)).toBe(first)
  expect(
    kept.get('a', () => ({}), 2 * idleMs - 2),
    'it was used in between',
  ).toBe(first)
  expect(kept.get('b', () => ({}), 0)).not.toBe(first)
})

it('drops and closes what nobody has asked for in an hour, when another comes', () => {
  const closed: string[] = []
  const kept = new WhileUsed<string>((what) => closed.push(what))
  for (let nth = 0; nth < 600; nth++) kept.get(`${nth}`, () => `${nth}`, nth * 1_000)
  kept.get('used', () => 'used', 0)
  expect(kept.size).toBe(601)
  const now = 600_000 + idleMs
  kept.get('used', () => 'new', now - 1)
  kept.get('next', () => 'next', now)
  expect(kept.size).toBe(2)
  expect(closed).toHaveLength(600)
  expect(closed).not.toContain('used')
})

it('what could not be made is not kept', () => {
  const kept = new WhileUsed<string>()
  const fail = () => {
    throw new Error('no such region')
  }
  expect(() => kept.get('a', fail, 0)).toThrow('no such region')
  expect(kept.get('a', () => 'made', 0)).toBe('made')
})
