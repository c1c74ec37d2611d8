import { isObject, JsonDecoder, scalarOf, type Json, type JsonDialect } from '../../kit/http/decode-json.ts'
import type { Field, Fields, Values } from '../../kit/http/schema.ts'
import { ArmError, badRequest, invalidParameter, notSimulated } from './errors.ts'

/** How a provider words it that a body does not fit. */
export interface Wording {
  /** A member that it does not know, or a value that is of another type. */
  misfit(sentence: string, path: string): ArmError
  missing(path: string): ArmError
}

export const computeWording: Wording = {
  misfit: badRequest,
  missing(path) {
    const name = lastOf(path)
    return invalidParameter(`Required parameter '${name}' is missing (null).`, name)
  },
}

export const networkWording: Wording = {
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
export function decode<F extends Fields>(type: string, fields: F, body: string, wording: Wording): Values<F> {
  const given = parse(body)
  for (const name of Object.keys(given)) {
    if (!definition.has(name)) throw undeserializable(notFound(name, 'ResourceDefinition', name, body))
  }
  return new JsonDecoder(dialectOf(body, wording)).body(given, { type, fields })
}

function parse(body: string): Json {
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

function dialectOf(body: string, wording: Wording): JsonDialect {
  return {
    isUnsaid: (value) => value === null,
    unknown: ({ name, path, parent }) => wording.misfit(notFound(name, typeOf(parent.field), path, body), path),
    missing: (path) => wording.missing(path),
    misfit(value, field, path) {
      const what = `Error converting value ${JSON.stringify(value)} to type '${typeOf(field)}'.`
      return wording.misfit(`${what} ${where(path, body)}`, path)
    },
    notSimulated: (path) => notSimulated(`the member ${path}`),
    scalar(value, field) {
      if (field.kind !== 'word' || typeof value !== 'string') return scalarOf(value, field)
      return field.words.find((word) => word.toLowerCase() === value.toLowerCase())
    },
  }
}

function typeOf(field: Field): string {
  if (field.kind === 'list') return 'List'
  if (field.kind === 'map') return 'Dictionary'
  return ('type' in field && field.type) || field.kind
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
