import { badField, IbmError, notSimulated } from './errors.ts'
import type { Field, Fields, Identity, Values } from './fields.ts'

interface Reading {
  /** What a field meets that the table has not. */
  readonly unknown: 'refused' | 'ignored'
}

/** Reads a JSON body by the table of an action. Throws what IBM answers to a body that does not fit it. */
export function decode<F extends Fields>(fields: F, body: string, reading: Reading): Values<F> {
  return structureOf(parse(body), fields, { path: '', reading }) as Values<F>
}

interface At {
  readonly path: string
  readonly reading: Reading
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new IbmError('validation_failure', 'The JSON provided did not match the expected structure.')
  }
}

function structureOf(value: unknown, fields: Fields, at: At): Readonly<Record<string, unknown>> {
  const object = objectOf(value, at)
  if (at.reading.unknown === 'refused') refuseUnknown(object, Object.keys(fields), at)
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const inner = object[name]
    const path = join(at.path, name)
    if (inner !== undefined) values[name] = valueOf(inner, field, { ...at, path })
    else if (field.required) {
      throw new IbmError('validation_required_field', 'Missing a required field.', { name: path, type: 'field' })
    }
  }
  return values
}

function refuseUnknown(object: Readonly<Record<string, unknown>>, known: readonly string[], at: At): void {
  const found = Object.keys(object).find((name) => !known.includes(name))
  if (found === undefined) return
  const name = join(at.path, found)
  throw new IbmError('invalid_request_field', 'A field provided in the request is not valid.', { name, type: 'field' })
}

function valueOf(value: unknown, field: Field, at: At): unknown {
  switch (field.kind) {
    case 'notSimulated':
      throw notSimulated(`the field ${at.path}`)
    case 'structure':
      return structureOf(value, field.fields, at)
    case 'identity':
      return identityOf(value, field.by, at)
    case 'list':
      if (!Array.isArray(value)) throw wrongType(at)
      return value.map((item, index) => valueOf(item, field.of, { ...at, path: `${at.path}[${index}]` }))
    case 'integer':
      return integerOf(value, field, at)
    case 'boolean':
      if (typeof value !== 'boolean') throw wrongType(at)
      return value
    case 'text':
      return textOf(value, at)
    case 'word':
      return wordOf(textOf(value, at), field.words, at)
  }
}

function wordOf(given: string, words: readonly string[], { path }: At): string {
  if (words.includes(given)) return given
  throw badField(path, `The value '${given}' is not one of: ${words.join(', ')}`, given)
}

function identityOf(value: unknown, by: readonly string[], at: At): Identity {
  const object = objectOf(value, at)
  if (at.reading.unknown === 'refused') refuseUnknown(object, by, at)
  const said = by.filter((name) => object[name] !== undefined)
  const [only, ...others] = said
  if (only === undefined || others.length > 0) throw notOneOf(at.path, said.length)
  return { by: only, value: textOf(object[only], { ...at, path: join(at.path, only) }) }
}

/** IBM's own sentence for a body in which none or several of the alternatives stand. */
export function notOneOf(path: string, count: number): IbmError {
  return badField(path, `Expected only one oneOf fields to be set: got ${count}`)
}

function integerOf(value: unknown, { min, max }: { min: number; max: number }, at: At): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(at)
  const target = { name: at.path, type: 'field', value: String(value) } as const
  if (value < min) throw new IbmError('validation_min_value', `The value must be at least ${min}.`, target)
  if (value > max) throw new IbmError('validation_max_value', `The value must be at most ${max}.`, target)
  return value
}

function textOf(value: unknown, at: At): string {
  if (typeof value !== 'string') throw wrongType(at)
  return value
}

function objectOf(value: unknown, at: At): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(at)
  return value as Readonly<Record<string, unknown>>
}

function wrongType({ path }: At): IbmError {
  const target = { name: path, type: 'field' } as const
  return new IbmError('validation_invalid_field_type', 'The value type does not match the field type.', target)
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
