import { isObject, JsonDecoder, scalarOf, type JsonDialect } from '../../kit/http/decode-json.ts'
import type { Field, Fields, Values } from '../../kit/http/schema.ts'
import { badField, IbmError, notSimulated } from './errors.ts'

/** What a field meets that the table does not have. */
type Reading = 'refused' | 'ignored'

/** Reads a JSON body by the table of an action. Throws what IBM answers to a body that does not fit it. */
export function decode<F extends Fields>(fields: F, body: string, unknown: Reading): Values<F> {
  return decoders[unknown].body(parse(body), { fields })
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new IbmError('validation_failure', 'The JSON provided did not match the expected structure.')
  }
}

const dialect: JsonDialect = {
  isUnsaid: () => false,
  unknown: ({ path }) => fieldError('invalid_request_field', 'A field provided in the request is not valid.', path),
  missing: (path) => fieldError('validation_required_field', 'Missing a required field.', path),
  misfit(value, field, path) {
    if (field.kind === 'identity' && isObject(value)) {
      return notOneOf(path, field.by.filter((name) => value[name] !== undefined).length)
    }
    if (field.kind === 'word' && typeof value === 'string') {
      return badField(path, `The value '${value}' is not one of: ${field.words.join(', ')}`, value)
    }
    if (field.kind === 'integer' && Number.isInteger(value)) return outOfRange(value as number, field, path)
    return fieldError('validation_invalid_field_type', 'The value type does not match the field type.', path)
  },
  notSimulated: (path) => notSimulated(`the field ${path}`),
  scalar: scalarOf,
}

const decoders: Readonly<Record<Reading, JsonDecoder>> = {
  refused: new JsonDecoder(dialect),
  ignored: new JsonDecoder({ ...dialect, unknown: () => undefined }),
}

/** IBM's own sentence for a body in which none or several of the alternatives stand. */
export function notOneOf(path: string, count: number): IbmError {
  return badField(path, `Expected only one oneOf fields to be set: got ${count}`)
}

function outOfRange(value: number, { min = -Infinity, max }: Extract<Field, { kind: 'integer' }>, path: string) {
  const [code, sentence] =
    value < min
      ? ['validation_min_value', `The value must be at least ${min}.`]
      : ['validation_max_value', `The value must be at most ${max}.`]
  return fieldError(code, sentence, path, String(value))
}

function fieldError(code: string, message: string, name: string, value?: string): IbmError {
  return new IbmError(code, message, { name, type: 'field', ...(value !== undefined && { value }) })
}
