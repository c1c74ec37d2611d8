import type { Json } from '../../kit/http/decode-json.ts'
import { GceError } from './errors.ts'
import type { Field, Fields } from '../../kit/http/schema.ts'

/** Which fields of an answer are wanted; an empty one: all below. */
export type FieldMask = Map<string, FieldMask>

/** Reads `items/*\/instances(id,name),nextPageToken`, and refuses what the answer cannot have. */
export function readMask(text: string, answer: Fields): FieldMask {
  const mask = new Reader(text).all()
  check(mask, { kind: 'structure', fields: answer }, text)
  return mask
}

class Reader {
  readonly #text: string
  readonly #signs: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#signs = text.match(/[A-Za-z0-9_$*-]+|[/.,()]|\S/g) ?? []
  }

  all(): FieldMask {
    const mask = this.#list()
    if (this.#at < this.#signs.length) throw invalid(this.#text, this.#signs[this.#at] ?? '')
    return mask
  }

  #list(): FieldMask {
    const mask: FieldMask = new Map()
    do this.#path(mask)
    while (this.#takes(','))
    return mask
  }

  #path(into: FieldMask): void {
    const name = this.#signs[this.#at] ?? ''
    if (!/^[A-Za-z0-9_$*-]+$/.test(name)) throw invalid(this.#text, name)
    this.#at += 1
    const below = into.get(name) ?? (new Map() as FieldMask)
    into.set(name, below)
    if (this.#takes('/') || this.#takes('.')) return this.#path(below)
    if (!this.#takes('(')) return undefined
    for (const [inner, mask] of this.#list()) below.set(inner, mask)
    if (!this.#takes(')')) throw invalid(this.#text, this.#signs[this.#at] ?? '')
  }

  #takes(sign: string): boolean {
    if (this.#signs[this.#at] !== sign) return false
    this.#at += 1
    return true
  }
}

function check(mask: FieldMask, field: Field, text: string): void {
  for (const [name, below] of mask) {
    const inner = inside(field, name)
    if (inner === undefined) throw invalid(text, name)
    if (inner !== 'anything') check(below, inner, text)
  }
}

/** The field of this name in another. A list is passed through: masks do not speak of it. */
export function inside(field: Field, name: string): Field | 'anything' | undefined {
  switch (field.kind) {
    case 'structure':
      if (name === '*') return 'anything'
      return Object.hasOwn(field.fields, name) ? field.fields[name] : undefined
    case 'list':
      return inside(field.of, name)
    case 'map':
      return field.of
    case 'output':
      return field.of ? inside(field.of, name) : undefined
    default:
      return undefined
  }
}

function invalid(text: string, name: string): GceError {
  return new GceError(
    'invalidParameter',
    `Error processing the 'fields' param value '${text}': Invalid field selection ${name}`,
  )
}

/** What of an answer passes the mask. */
export function masked(value: unknown, mask: FieldMask): unknown {
  if (mask.size === 0) return value
  if (Array.isArray(value)) return value.map((one) => masked(one, mask))
  if (typeof value !== 'object' || value === null) return value
  const every = mask.get('*')
  const kept: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value as Json)) {
    const below = mask.get(name) ?? every
    if (below) kept[name] = masked(inner, below)
  }
  return kept
}
