import { JsonDecoder, scalarOf, type Json, type JsonDialect } from '../../kit/http/decode-json.ts'
import type { Field, Fields, Values } from '../../kit/http/schema.ts'
import { GceError, invalidValue, notSimulated, required } from './errors.ts'

/** The body of a call by the table of its message. Throws what GCE answers to a body that does not fit it. */
export function decodeBody<F extends Fields>(fields: F, body: string): Values<F> {
  if (body.trim() === '') throw required('resource')
  const values = decoder.body(parse(body), { fields }, 'resource')
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
    values[name] = decoder.value(fromText(value, field), field, name)
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

const dialect: JsonDialect = {
  // Some of Google's clients send all the lists and maps that there could be, empty.
  isUnsaid: (value, field) =>
    field !== undefined && (value === null || (field.kind === 'notSimulated' && isEmpty(value))),
  unknown: ({ name, parent }) =>
    badRequest(`Invalid JSON payload received. Unknown name "${name}" at '${parent.path}': Cannot find field.`),
  missing: required,
  misfit(value, field, path) {
    if (field.kind === 'word') return invalidValue(path, value, `Must be one of: ${field.words.join(', ')}.`)
    return badRequest(`Invalid value at '${path}' (${typeNames[field.kind]}), ${JSON.stringify(value)}`)
  },
  notSimulated: (path) => notSimulated(`the field ${path}`),
  scalar(value, field) {
    if (field.kind === 'int32') return integerOf(value, 2 ** 31)
    return field.kind === 'int64' ? integerOf(value, Infinity) : scalarOf(value, field)
  },
}

const decoder = new JsonDecoder(dialect)

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

const typeNames: Readonly<Partial<Record<Field['kind'], string>>> = {
  text: 'TYPE_STRING',
  boolean: 'TYPE_BOOL',
  int32: 'TYPE_INT32',
  int64: 'TYPE_INT64',
  list: 'a list',
  map: 'an object',
  structure: 'an object',
}

function integerOf(value: unknown, below: number): number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const number = /^-?\d{1,19}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) && Math.abs(number) < below ? number : undefined
}
