import fc from 'fast-check'
import { expect, test } from 'vitest'
import { select } from './http/filters.ts'
import { standardWorld } from './world.ts'

const found = (pattern: string, values: readonly string[]) =>
  select(values, [{ Name: 'value', Value: [pattern] }], {
    filters: { value: (one) => [one] },
    world: standardWorld(),
  })

/** A wildcard match by hand: the law that the regular expressions must keep. */
function matches(pattern: readonly string[], value: readonly string[]): boolean {
  const [sign, ...rest] = pattern
  if (sign === undefined) return value.length === 0
  if (sign === '*') return matches(rest, value) || (value.length > 0 && matches(pattern, value.slice(1)))
  const [first, ...others] = value
  return first !== undefined && (sign === '?' || sign === first) && matches(rest, others)
}

test('a value matches a pattern as wildcards say, whatever else stands in it', () => {
  const signs = fc.constantFrom('a', 'b', '.', '+', '(', '[', '$', '^', '|', '-', '\n')
  fc.assert(
    fc.property(
      fc.array(fc.oneof(signs, fc.constantFrom('*', '?')), { maxLength: 6 }),
      fc.array(signs, { maxLength: 6 }),
      (pattern, value) => {
        const text = value.join('')
        expect(found(pattern.join(''), [text])).toEqual(matches(pattern, value) ? [text] : [])
      },
    ),
  )
})

test('with every sign escaped a pattern finds itself and nothing else', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '*', '?', '\\'), maxLength: 6 })
  fc.assert(
    fc.property(text, text, (wanted, other) => {
      const escaped = wanted.replace(/[*?\\]/g, '\\$&')
      expect(found(escaped, [wanted, other])).toEqual(wanted === other ? [wanted, other] : [wanted])
    }),
  )
})
