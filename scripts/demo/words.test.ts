import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { listed, wrapped } from './words.ts'

test.each([
  { words: [], text: '' },
  { words: ['a'], text: 'a' },
  { words: ['a', 'b'], text: 'a and b' },
  { words: ['a', 'b', 'c'], text: 'a, b and c' },
])('$words as "$text"', ({ words, text }) => {
  expect(listed(words)).toBe(text)
})

test('another word than and', () => {
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c')
})

test('wrapped text has all of its words, in lines that are as long as they can be', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 1, max: 30 }), (words, width) => {
      const lines = wrapped(words.join(' '), width)
      expect(lines.join(' ').split(' ')).toEqual(words)
      const severalWords = lines.filter((line) => line.includes(' '))
      for (const line of severalWords) expect(line.length).toBeLessThanOrEqual(width)
      for (const [at, line] of lines.slice(1).entries()) {
        const [first = ''] = line.split(' ')
        expect(`${lines[at] ?? ''} ${first}`.length).toBeGreaterThan(width)
      }
    }),
  )
})
