import { parseDuration } from '../duration.ts'
import { ControlError, type FieldKind, type FieldType, type FieldTypes, type Verb } from './verb.ts'

/** What a call of a verb says, as its fields want it. */
export function readFields(verb: Verb, body: string): Readonly<Record<string, unknown>> {
  const given = parse(body)
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(verb.fields, name)) {
      const known = Object.keys(verb.fields).join(', ') || 'none'
      throw new ControlError(`"${verb.name}" has no field "${name}"; its fields are: ${known}.`)
    }
  }
  const read: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(verb.fields)) {
    const value = given[name]
    if (value !== undefined && value !== null) read[name] = readField(name, type, value)
    else if (!isOptional(type)) throw new ControlError(`"${verb.name}" needs the field "${name}".`)
  }
  return read
}

function isOptional(type: FieldType): boolean {
  return typeof type === 'string' ? type.endsWith('?') : 'optional' in type
}

function readField(name: string, type: FieldType, value: unknown): unknown {
  if (typeof type === 'string') return readers[type.replace('?', '') as FieldKind](name, value)
  return known(name, readers.text(name, value), type.words)
}

/** The word itself, where it is one of these. */
export function known<const W extends string>(field: string, text: string, words: readonly W[]): W {
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  const choice = words.length > 2 ? `one of ${words.join(', ')}` : words.map((word) => `"${word}"`).join(' or ')
  throw new ControlError(`"${field}" must be ${choice}.`)
}

function parse(body: string): Readonly<Record<string, unknown>> {
  let given: unknown
  try {
    given = JSON.parse(body || '{}')
  } catch {
    throw new ControlError('The body is not JSON; send an object such as {"id": "…"}.')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ControlError('The body must be a JSON object such as {"id": "…"}.')
  }
  return given as Record<string, unknown>
}

const readers: { [K in FieldKind]: (name: string, value: unknown) => FieldTypes[K] } = {
  text(name, value) {
    if (typeof value === 'string' && value !== '') return value
    throw new ControlError(`"${name}" must be a string that is not empty.`)
  },
  number(name, value) {
    if (typeof value === 'number') return value
    throw new ControlError(`"${name}" must be a number.`)
  },
  boolean(name, value) {
    if (typeof value === 'boolean') return value
    throw new ControlError(`"${name}" must be true or false.`)
  },
  duration(name, value) {
    const parsed = typeof value === 'string' ? parseDuration(value) : undefined
    if (parsed !== undefined) return parsed
    throw new ControlError(`"${name}" must be a duration such as "500ms", "30s" or "2m".`)
  },
  texts(name, value) {
    const object = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (object && Object.values(value).every((one) => typeof one === 'string')) return value as Record<string, string>
    throw new ControlError(`"${name}" must be an object of strings.`)
  },
}
