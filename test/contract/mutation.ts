import fc from 'fast-check'

/** One change to a document. The numbers choose where; what is there decides what they mean. */
export interface Mutation {
  readonly where: number
  readonly put: string
  readonly how: 'replace' | 'remove' | 'double' | 'cut' | 'splice'
}

const nasty = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  'true',
  'constructor',
  '__proto__',
  '\u0000',
  '😀',
  '%00',
  '../..',
  '[]',
  '{}',
]
const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 40 }),
  // Of those a regular expression that goes back and forth would be slow.
  fc
    .tuple(fc.constantFrom('a', '-', '/', ' ', 'a-', '0', '<', '&amp;'), fc.integer({ min: 1, max: 20_000 }))
    .map(([unit, times]) => unit.repeat(times)),
)

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  where: fc.nat({ max: 100_000 }),
  put: text,
  how: fc.constantFrom('replace', 'replace', 'remove', 'double', 'cut', 'splice'),
})

/** JSON and XML stay documents where they can: only then what is read in them is put to the test. */
export function mutate(body: string, { where, put, how }: Mutation): string {
  const at = body.length === 0 ? 0 : where % body.length
  if (how === 'cut') return body.slice(0, at)
  if (how === 'splice') return body.slice(0, at) + put + body.slice(at + put.length)
  if (body.trimStart().startsWith('<')) return mutateXml(body, { where, put, how })
  const document = parsed(body)
  return document === undefined ? body.slice(0, at) + put : JSON.stringify(mutateTree(document, { where, put, how }))
}

function mutateXml(body: string, { where, put, how }: Mutation): string {
  const elements = [...body.matchAll(/<(\w+)>([^<]*)<\/\1>/g)]
  const element = elements[where % Math.max(1, elements.length)]
  if (!element) return body + put
  const [whole, tag = '', inner = ''] = element
  const end = element.index + whole.length
  const escaped = put.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const instead = {
    replace: `<${tag}>${escaped}</${tag}>`,
    remove: '',
    double: whole + whole,
    cut: inner,
    splice: inner,
  }
  return body.slice(0, element.index) + instead[how] + body.slice(end)
}

function mutateTree(document: unknown, { where, put, how }: Mutation): unknown {
  const places = placesIn(document)
  const place = places[where % Math.max(1, places.length)]
  if (!place) return put
  const { parent, key } = place
  const value = parent[key]
  if (how === 'remove') delete parent[key]
  else if (how === 'double') parent[key] = [value, value]
  else parent[key] = parsed(put) ?? put
  return document
}

interface Place {
  readonly parent: Record<string, unknown>
  readonly key: string
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
