import type { Field, Fields, Identity, Values } from './schema.ts'

export type Json = Readonly<Record<string, unknown>>

/** How one cloud reads a body, and what it says to one that does not fit. */
export interface JsonDialect {
  /** Whether a member with this value counts as not said. */
  isUnsaid(value: unknown, field: Field | undefined): boolean
  /** The refusal of a member that the structure does not have; undefined: it is passed over. */
  unknown(member: Member): Error | undefined
  missing(path: string): Error
  /** The refusal of a value that is not of the field's kind, or none of its words. */
  misfit(value: unknown, field: Field, path: string): Error
  notSimulated(what: string): Error
  /** The value of a field that holds no other; undefined: it is no such value. */
  scalar(value: unknown, field: Field): unknown
}

/** A member that is given, and the structure that it is given in. */
export interface Member {
  readonly name: string
  readonly path: string
  readonly parent: { readonly path: string; readonly field: Field }
}

/** Reads JSON by the table of a call. Throws what the cloud answers to a body that does not fit it. */
export class JsonDecoder {
  readonly #dialect: JsonDialect

  constructor(dialect: JsonDialect) {
    this.#dialect = dialect
  }

  /** The whole body. `path`: what the cloud calls it, where it calls it anything. */
  body<F extends Fields>(value: unknown, { fields, type }: { fields: F; type?: string }, path = ''): Values<F> {
    const whole: Field = { kind: 'structure', fields, ...(type !== undefined && { type }) }
    return this.#structure(this.#object(value, whole, path), whole, path) as Values<F>
  }

  value(value: unknown, field: Field, path: string): unknown {
    switch (field.kind) {
      case 'notSimulated':
        throw this.#dialect.notSimulated(path)
      case 'structure':
        return this.#structure(this.#object(value, field, path), field, path)
      case 'identity':
        return this.#identity(value, field, path)
      case 'list':
        if (!Array.isArray(value)) throw this.#dialect.misfit(value, field, path)
        return value.map((one, at) => this.value(one, field.of, `${path}[${at}]`))
      case 'map':
        return Object.fromEntries(
          Object.entries(this.#object(value, field, path)).map(([name, inner]) => [
            name,
            this.value(inner, field.of, join(path, name)),
          ]),
        )
      default:
        return this.#scalar(value, field, path)
    }
  }

  #structure(given: Json, field: Extract<Field, { kind: 'structure' }>, path: string): Json {
    this.#refuseUnknown(given, { field, known: Object.keys(field.fields), path })
    const values: Record<string, unknown> = {}
    for (const [name, inner] of Object.entries(field.fields)) {
      const value = given[name]
      if (value === undefined || this.#dialect.isUnsaid(value, inner)) {
        if (inner.required) throw this.#dialect.missing(join(path, name))
      } else if (inner.kind !== 'output') values[name] = this.value(value, inner, join(path, name))
    }
    return values
  }

  #identity(value: unknown, field: Extract<Field, { kind: 'identity' }>, path: string): Identity {
    const given = this.#object(value, field, path)
    this.#refuseUnknown(given, { field, known: field.by, path })
    const [by, ...others] = field.by.filter((name) => given[name] !== undefined)
    if (by === undefined || others.length > 0) throw this.#dialect.misfit(given, field, path)
    return { by, value: this.value(given[by], { kind: 'text' }, join(path, by)) as string }
  }

  #refuseUnknown(given: Json, { field, known, path }: { field: Field; known: readonly string[]; path: string }): void {
    for (const [name, value] of Object.entries(given)) {
      if (known.includes(name) || this.#dialect.isUnsaid(value, undefined)) continue
      const refusal = this.#dialect.unknown({ name, path: join(path, name), parent: { path, field } })
      if (refusal) throw refusal
    }
  }

  #object(value: unknown, field: Field, path: string): Json {
    if (isObject(value)) return value
    throw this.#dialect.misfit(value, field, path)
  }

  #scalar(value: unknown, field: Field, path: string): unknown {
    const read = this.#dialect.scalar(value, field)
    if (read !== undefined) return read
    throw this.#dialect.misfit(value, field, path)
  }
}

/** As JSON itself writes it. */
export function scalarOf(value: unknown, field: Field): unknown {
  switch (field.kind) {
    case 'kept':
      return value
    case 'integer':
      return integerIn(field, value)
    case 'number':
    case 'boolean':
      return typeof value === field.kind ? value : undefined
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'word':
      return field.words.find((word) => word === value)
    default:
      return undefined
  }
}

function integerIn({ min = -Infinity, max = Infinity }: { min?: number; max?: number }, value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
