import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longestStallMs, ownTimeOf } from '../../test/support/own-time.ts'
import { instanceName, tagIn } from './instance-name.ts'
import { tagOf } from './ownership.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const id = (length: number) => fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length })

it('the tag that stands in a name is the one that was put there, whatever the machine is called', () => {
  fc.assert(
    fc.property(id(10), id(12), fc.string({ maxLength: 253 }), (owner, token, name) => {
      const ownership = { owner, token, machine: `default/${name}` }
      const { machineName: _, ...tag } = tagOf(ownership)
      expect(tagIn(instanceName(ownership) ?? '')).toEqual(tag)
    }),
  )
})

/** Of those a regular expression that goes back and forth would be slow. */
const long = fc
  .tuple(
    fc.constantFrom('a', '-', 'a-', '0', `${'a'.repeat(10)}-`, `${'a'.repeat(12)}-`, ' '),
    fc.nat({ max: 100_000 }),
  )
  .map(([unit, times]) => unit.repeat(times).slice(0, 200_000))

it('any name of a stranger is read at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), long), async (name) => {
      expect(await ownTimeOf(() => tagIn(name))).toBeLessThan(longestStallMs)
      expect(await ownTimeOf(() => instanceName({ owner: 'o', machine: `d/${name}`, token: 't' }))).toBeLessThan(
        longestStallMs,
      )
    }),
  )
})
