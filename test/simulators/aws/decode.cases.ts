import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode } from './http/decode.ts'
import { boolean, integer, list, structure, text, word } from '../kit/http/schema.ts'

const fields = {
  Name: text,
  Count: integer,
  Force: boolean,
  Color: word('red', 'green'),
  Id: list(text),
  Disk: list(structure({ Device: text, Ebs: structure({ Size: integer }) })),
}

/** As a client of EC2 writes values: dots for structures, numbers from 1 for lists. */
function flatten(value: unknown, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  const entries = Array.isArray(value) ? value.map((one, at) => [String(at + 1), one] as const) : Object.entries(value)
  return entries.flatMap(([name, one]) => flatten(one, path === '' ? name : `${path}.${name}`))
}

test('what is written flat is read as it was, in any order', () => {
  const disk = fc.record({ Device: fc.string(), Ebs: fc.record({ Size: fc.nat(1_000_000) }) })
  const values = fc.record(
    {
      Name: fc.string(),
      Count: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      Force: fc.boolean(),
      Color: fc.constantFrom('red', 'green'),
      Id: fc.array(fc.string(), { minLength: 1, maxLength: 20 }),
      Disk: fc.array(disk, { minLength: 1, maxLength: 12 }),
    },
    { requiredKeys: [] },
  )
  const shuffled = values.chain((given) => {
    const flat = flatten(given, '')
    return fc.record({
      given: fc.constant(given),
      flat: fc.shuffledSubarray(flat, { minLength: flat.length, maxLength: flat.length }),
    })
  })
  fc.assert(
    fc.property(shuffled, ({ given, flat }) => {
      expect(decode(fields, Object.fromEntries(flat))).toEqual(given)
    }),
  )
})

test('a name that the table has not is refused, wherever it stands', () => {
  const places = ['', 'Disk.1.', 'Disk.1.Ebs.', 'Id.']
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.stringMatching(/^[A-Za-z]{1,12}$/), (place, name) => {
      fc.pre(!['Name', 'Count', 'Force', 'Color', 'Id', 'Disk', 'Device', 'Ebs', 'Size'].includes(name))
      expect(() => decode(fields, { [`${place}${name}`]: '1' })).toThrow(`The parameter ${name} is not recognized`)
    }),
  )
})

test.each(['__proto__', 'constructor', 'toString', 'Disk.1.constructor'])('%s is no parameter', (name) => {
  expect(() => decode(fields, JSON.parse(`{"${name}": "1"}`) as Record<string, string>)).toThrow('is not recognized')
})
