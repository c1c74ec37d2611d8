import { ArmError, badRequest, invalidParameter, notSimulated } from './errors.ts'
import type { Field, Fields, Values } from './fields.ts'

/** How a provider of Azure words its refusals of a body that does not fit. */
export interface Dialect {
  /** A sentence about a member that there is not, or about a value of another type. */
  misfit(sentence: string, path: string): ArmError
  missing(path: string): ArmError
}

export const computeDialect: Dialect = {
  misfit: (sentence, path) => badRequest(sentence, path),
  missing(path) {
    const name = lastOf(path)
    return invalidParameter(`Required parameter '${name}' is missing (null).`, name)
  },
}

export const networkDialect: Dialect = {
  misfit: (sentence) => cannotParse('InvalidJson', sentence),
  missing: (path) => cannotParse('MissingJsonReferenceId', `Value for reference id is missing. Path ${path}.`),
}

function cannotParse(code: string, message: string): ArmError {
  return new ArmError('InvalidRequestFormat', 'Cannot parse the request.', { details: [{ code, message }] })
}

/** What every resource may say of itself; Azure's front door looks at it before any provider does. */
const definition = new Set(
  (
    'id name type location tags kind sku plan identity zones properties etag ' +
    'extendedLocation managedBy placement resources scale systemData'
  ).split(' '),
)

/** Reads a body by the table of a call. Throws what Azure answers to one that does not fit it. */
export function decode<F extends Fields>(type: string, fields: F, body: string, dialect: Dialect): Values<F> {
  const given = parse(body)
  for (const name of Object.keys(given)) {
    if (!definition.has(name)) throw undeserializable(notFound(name, 'ResourceDefinition', name, body))
  }
  return new Decoding(body, dialect).structure(given, { type, fields }, '') as Values<F>
}

export function parse(body: string): Readonly<Record<string, unknown>> {
  let given: unknown
  try {
    given = JSON.parse(body)
  } catch {
    throw undeserializable("Unexpected character encountered while parsing value. Path '', line 1, position 1.")
  }
  if (isObject(given)) return given
  throw undeserializable("Error converting value to type 'ResourceDefinition'. Path '', line 1, position 1.")
}

function undeserializable(why: string): ArmError {
  return new ArmError(
    'InvalidRequestContent',
    `The request content was invalid and could not be deserialized: '${why}'.`,
  )
}

class Decoding {
  readonly #body: string
  readonly #dialect: Dialect

  constructor(body: string, dialect: Dialect) {
    this.#body = body
    this.#dialect = dialect
  }

  structure(given: unknown, { type, fields }: { type: string; fields: Fields }, path: string): object {
    if (!isObject(given)) throw this.#unfit(given, type, path)
    for (const [name, value] of Object.entries(given)) {
      if (!Object.hasOwn(fields, name) && value !== null) {
        throw this.#dialect.misfit(notFound(name, type, join(path, name), this.#body), join(path, name))
      }
    }
    const values: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(fields)) {
      const value = given[name]
      if (value !== undefined && value !== null) {
        if (field.kind !== 'readOnly') values[name] = this.#value(value, field, join(path, name))
      } else if (field.required) throw this.#dialect.missing(join(path, name))
    }
    return values
  }

  #value(given: unknown, field: Field, path: string): unknown {
    if (field.kind === 'notSimulated') throw notSimulated(`the member ${path}`)
    if (field.kind === 'kept' || field.kind === 'readOnly') return given
    if (field.kind === 'structure') return this.structure(given, field, path)
    if (field.kind === 'list') {
      if (!Array.isArray(given)) throw this.#unfit(given, 'List', path)
      return given.map((one, at) => this.#value(one, field.of, `${path}[${at}]`))
    }
    if (field.kind === 'texts') {
      if (isObject(given) && Object.values(given).every((one) => typeof one === 'string')) return given
      throw this.#unfit(given, 'Dictionary', path)
    }
    const value = scalarOf(given, field)
    if (value !== undefined) return value
    throw this.#unfit(given, field.kind === 'word' ? field.type : field.kind, path)
  }

  #unfit(given: unknown, type: string, path: string): ArmError {
    const sentence = `Error converting value ${JSON.stringify(given)} to type '${type}'. ${where(path, this.#body)}`
    return this.#dialect.misfit(sentence, path)
  }
}

type Scalar = Extract<Field, { kind: 'text' | 'integer' | 'number' | 'boolean' | 'word' }>

/** Undefined: it is no such value. */
function scalarOf(given: unknown, field: Scalar): unknown {
  switch (field.kind) {
    case 'text':
      return typeof given === 'string' ? given : undefined
    case 'integer':
      return Number.isInteger(given) ? given : undefined
    case 'number':
      return typeof given === 'number' ? given : undefined
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined
    case 'word':
      return field.words.find((word) => typeof given === 'string' && word.toLowerCase() === given.toLowerCase())
  }
}

function notFound(member: string, type: string, path: string, body: string): string {
  return `Could not find member '${member}' on object of type '${type}'. ${where(path, body)}`
}

function where(path: string, body: string): string {
  const name = JSON.stringify(lastOf(path))
  return `Path '${path}', line 1, position ${body.indexOf(name) + name.length + 1}.`
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replace(/\[\d+\]$/, '')
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}
