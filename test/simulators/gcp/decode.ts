import { GceError, invalidValue, notSimulated, required } from './errors.ts'
import type { Field, Fields, Values } from './fields.ts'

export type Json = Readonly<Record<string, unknown>>

/** The body of a call by the table of its message. Throws what GCE answers to a body that does not fit it. */
export function decodeBody<F extends Fields>(fields: F, body: string): Values<F> {
  if (body.trim() === '') throw required('resource')
  const values = structureOf(parse(body), fields, 'resource') as Values<F>
  if (Object.keys(values).length === 0) throw required('resource')
  return values
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw badRequest('Invalid JSON payload received. Parser expected a JSON object.')
  }
}

/** Query parameters: every value is text, and none may come twice. */
export function decodeQuery(fields: Fields, query: URLSearchParams): Json {
  const values: Record<string, unknown> = {}
  for (const [name, value] of query) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) {
      throw badRequest(
        `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. ` +
          `Field '${name}' could not be found in request message.`,
      )
    }
    if (Object.hasOwn(values, name)) {
      throw badRequest(`Proto field is not repeating, cannot start list. (query parameter '${name}')`)
    }
    values[name] = valueOf(fromText(value, field), field, name)
  }
  return values
}

function fromText(value: string, { kind }: Field): unknown {
  if (kind === 'boolean' && ['true', 'false'].includes(value)) return value === 'true'
  return value
}

function badRequest(message: string): GceError {
  return new GceError('badRequest', message)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** In the messages of Google's clients the same as not said: some send all the lists and maps that there could be. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Null is the same as not said, too. */
function structureOf(value: unknown, fields: Fields, path: string): Json {
  if (!isObject(value)) throw wrongType(path, 'an object', value)
  const values: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) {
      throw badRequest(`Invalid JSON payload received. Unknown name "${name}" at '${path}': Cannot find field.`)
    }
    if (inner === null || field.kind === 'output' || (field.kind === 'notSimulated' && isEmpty(inner))) continue
    values[name] = valueOf(inner, field, `${path}.${name}`)
  }
  return values
}

function valueOf(value: unknown, field: Field, path: string): unknown {
  switch (field.kind) {
    case 'output':
      return undefined
    case 'notSimulated':
      throw notSimulated(`the field ${path}`)
    case 'structure':
      return structureOf(value, field.fields, path)
    case 'list':
      if (!Array.isArray(value)) throw wrongType(path, 'a list', value)
      return value.map((one, at) => valueOf(one, field.of, `${path}[${at}]`))
    case 'map':
      if (!isObject(value)) throw wrongType(path, 'an object', value)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, valueOf(inner, field.of, `${path}.${name}`)]),
      )
    default:
      return scalarOf(value, field, path)
  }
}

type Scalar = Extract<Field, { kind: 'text' | 'int32' | 'int64' | 'boolean' | 'word' }>

function scalarOf(value: unknown, field: Scalar, path: string): unknown {
  switch (field.kind) {
    case 'text':
      if (typeof value === 'string') return value
      throw wrongType(path, 'TYPE_STRING', value)
    case 'boolean':
      if (typeof value === 'boolean') return value
      throw wrongType(path, 'TYPE_BOOL', value)
    case 'int32':
    case 'int64':
      return integerOf(value, field.kind, path)
    case 'word':
      if (typeof value === 'string' && field.words.includes(value)) return value
      throw invalidValue(path, value, `Must be one of: ${field.words.join(', ')}.`)
  }
}

function integerOf(value: unknown, kind: 'int32' | 'int64', path: string): number {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const number = /^-?\d{1,19}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(number) && (kind === 'int64' || Math.abs(number) < 2 ** 31)) return number
  throw wrongType(path, kind === 'int32' ? 'TYPE_INT32' : 'TYPE_INT64', value)
}

function wrongType(path: string, wanted: string, value: unknown): GceError {
  return badRequest(`Invalid value at '${path}' (${wanted}), ${JSON.stringify(value)}`)
}
