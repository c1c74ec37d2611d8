import type { Json } from '../../kit/http/decode-json.ts'
import { invalidValue } from './errors.ts'
import { inside } from './field-mask.ts'
import type { Field, Fields } from '../../kit/http/schema.ts'

type Test = (item: Json) => boolean
/** Of what a field says, as text; undefined: it says nothing. */
type Comparer = (value: string | undefined) => boolean

/**
 * The items that pass a filter such as `(labels.role = "node") AND (status != TERMINATED)`. What stands beside each
 * other without a word between must all be true. `eq` and `ne` compare with a regular expression, `:` and a star with a
 * part.
 */
export function select<T>(
  items: readonly T[],
  filter: string,
  { fields, write }: { readonly fields: Fields; readonly write: (item: T) => Json },
): readonly T[] {
  const test = new FilterReader(filter, fields).all()
  return items.filter((item) => test(write(item)))
}

const operators = ['!=', '<=', '>=', '=', '<', '>', ':', 'eq', 'ne'] as const
type Operator = (typeof operators)[number]

class FilterReader {
  readonly #text: string
  readonly #fields: Fields
  readonly #signs: readonly string[]
  /** GCE reads comparisons with patterns, and all others, in one filter only apart. */
  readonly #asked = new Set<'pattern' | 'other'>()
  #at = 0

  constructor(text: string, fields: Fields) {
    this.#text = text
    this.#fields = fields
    this.#signs = text.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|!=|<=|>=|[=<>:()]|[^\s=<>:()!"']+|\S/g) ?? []
  }

  all(): Test {
    const test = this.#any()
    const isMixed = this.#asked.has('pattern') && this.#asked.has('other')
    if (this.#at < this.#signs.length || isMixed) throw this.#invalid()
    return test
  }

  #any(): Test {
    const tests = [this.#every()]
    while (this.#takes('OR')) tests.push(this.#every())
    return (item) => tests.some((test) => test(item))
  }

  #every(): Test {
    const tests = [this.#one()]
    while (this.#at < this.#signs.length && !['OR', ')'].includes(this.#next)) {
      this.#takes('AND')
      tests.push(this.#one())
    }
    return (item) => tests.every((test) => test(item))
  }

  #one(): Test {
    if (this.#takes('NOT')) {
      const test = this.#one()
      return (item) => !test(item)
    }
    if (this.#takes('(')) {
      const test = this.#any()
      if (!this.#takes(')')) throw this.#invalid()
      return test
    }
    return this.#comparison()
  }

  #comparison(): Test {
    const path = unquoted(this.#read()).split('.')
    const kind = this.#kindOf(path)
    const operator = operators.find((one) => one === this.#next)
    if (!operator || kind === undefined) throw this.#invalid()
    this.#asked.add(operator === 'eq' || operator === 'ne' ? 'pattern' : 'other')
    this.#at += 1
    const wanted = unquoted(this.#read())
    if (kind === 'one') {
      const compares = this.#comparer(operator, wanted)
      return (item) => compares(textOf(valueAt(item, path)))
    }
    if (operator !== ':' || wanted !== '*') throw this.#invalid()
    return (item) => valueAt(item, path) !== undefined
  }

  /**
   * Lists cannot be compared with anything: GCE refuses them, tags too. Of messages it can be asked whether they are
   * there.
   */
  #kindOf(path: readonly string[]): 'one' | 'several' | undefined {
    let field: Field | 'anything' | undefined = { kind: 'structure', fields: this.#fields }
    for (const name of path) {
      if (field === 'anything' || field === undefined || name === '*') return undefined
      field = inside(field, name)
    }
    if (field === 'anything' || field === undefined) return undefined
    const { kind } = field.kind === 'output' ? (field.of ?? field) : field
    if (kind === 'list') return undefined
    return kind === 'structure' || kind === 'map' ? 'several' : 'one'
  }

  #comparer(operator: Operator, wanted: string): Comparer {
    switch (operator) {
      case '=':
        return matching(wanted)
      case '!=':
        return not(matching(wanted))
      case ':':
        return wanted === '*' ? (value) => value !== undefined : matching(wanted.includes('*') ? wanted : `*${wanted}*`)
      case 'eq':
        return this.#pattern(wanted)
      case 'ne':
        return not(this.#pattern(wanted))
      default:
        return ordered(operator, wanted)
    }
  }

  #pattern(source: string): Comparer {
    try {
      const pattern = new RegExp(`^(?:${source})$`)
      return (value) => value !== undefined && pattern.test(value)
    } catch {
      throw this.#invalid()
    }
  }

  get #next(): string {
    return this.#signs[this.#at] ?? ''
  }

  #read(): string {
    const sign = this.#next
    if (sign === '' || /^[=<>:()!]/.test(sign)) throw this.#invalid()
    this.#at += 1
    return sign
  }

  #takes(sign: string): boolean {
    if (this.#next !== sign) return false
    this.#at += 1
    return true
  }

  #invalid() {
    return invalidValue('filter', this.#text, 'Invalid list filter expression.')
  }
}

function unquoted(sign: string): string {
  return /^["']/.test(sign) ? sign.slice(1, -1).replace(/\\(.)/g, '$1') : sign
}

function valueAt(item: Json, path: readonly string[]): unknown {
  let value: unknown = item
  for (const name of path) value = (value as Json | undefined)?.[name]
  return value
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function not(test: Comparer): Comparer {
  return (value) => !test(value)
}

function matching(wanted: string): Comparer {
  if (!wanted.includes('*')) return (value) => value === wanted
  const source = wanted.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${source.join('.*')}$`, 's')
  return (value) => value !== undefined && pattern.test(value)
}

/** Numbers as numbers, times as times. */
function ordered(operator: '<' | '>' | '<=' | '>=', wanted: string): Comparer {
  const bound = rank(wanted)
  return (value) => {
    const found = rank(value)
    if (Number.isNaN(found) || Number.isNaN(bound)) return false
    if (operator.endsWith('=') && found === bound) return true
    return operator.startsWith('<') ? found < bound : found > bound
  }
}

function rank(text = ''): number {
  return /^-?[\d.]+$/.test(text) ? Number(text) : Date.parse(text)
}
