import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const mostWords = 30
const words = [...read('GLOSSARY.md').matchAll(/^\| (?!word )([a-z][a-z -]*) \| (.+) \| `(.+)` \|$/gm)].map(
  ([, word = '', meaning = '', see = '']) => ({ word, meaning, see }),
)

/** As an identifier has it: `backoff group` is BackoffGroup, backoffGroup or backoff-group. */
function identifierOf(word: string): RegExp {
  const [first = '', ...others] = word.split(' ')
  const capital = (text: string) => `[${text.charAt(0)}${text.charAt(0).toUpperCase()}]${text.slice(1)}`
  return new RegExp([capital(first), ...others.map(capital)].join('-?'))
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

describe('GLOSSARY.md', () => {
  it(`has every row in one form, and at most ${mostWords} words`, () => {
    const rows = read('GLOSSARY.md').match(/^\| (?!word |-)/gm) ?? []
    expect(words).toHaveLength(rows.length)
    expect(words.length).toBeGreaterThan(0)
    expect(words.length).toBeLessThanOrEqual(mostWords)
  })

  it('has each word once, in the order of the alphabet', () => {
    const all = words.map(({ word }) => word)
    expect(all).toEqual([...new Set(all)].toSorted())
  })
})

it.each(words)('the code uses "$word" in $see', ({ word, see }) => {
  expect(withoutComments(read(see))).toMatch(identifierOf(word))
})
