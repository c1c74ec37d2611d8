import { parseDuration } from './duration.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

/** What a control call cannot do, in a sentence for the person who asked. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
}

interface FieldTypes {
  text: string
  number: number
  boolean: boolean
  /** As people write it (`30s`), in milliseconds. */
  duration: number
  /** An object of strings. */
  texts: Readonly<Record<string, string>>
}

type FieldKind = keyof FieldTypes
/** `?`: may be left out. */
type FieldType = FieldKind | `${FieldKind}?`
type FieldTable = Readonly<Record<string, FieldType>>

type Given<F extends FieldTable> = {
  [K in keyof F as F[K] extends FieldKind ? K : never]: F[K] extends FieldKind ? FieldTypes[F[K]] : never
} & {
  [K in keyof F as F[K] extends FieldKind ? never : K]?: F[K] extends `${infer T extends FieldKind}?`
    ? FieldTypes[T]
    : never
}

/** Something that a person or a test makes happen: `POST /_control/<name>` with a JSON object. */
export interface Verb {
  readonly name: string
  /** One line for the list of verbs. */
  readonly does: string
  readonly fields: FieldTable
  run(given: Readonly<Record<string, unknown>>): unknown
}

/** Writes a verb down with its fields checked by type: `run` is given what `fields` says. */
export function verb<const F extends FieldTable>(definition: {
  name: string
  does: string
  fields: F
  run: (given: Given<F>) => unknown
}): Verb {
  return { ...definition, run: (given) => definition.run(given as Given<F>) }
}

/** Something to look at: `GET /_control/<name>`. */
export type View = () => unknown

const prefix = '/_control'

/** The switches of one simulator, for people with curl and for tests in another process. */
export class ControlPlane {
  readonly #verbs: ReadonlyMap<string, Verb>
  readonly #views: ReadonlyMap<string, View>

  constructor(verbs: readonly Verb[], views: Readonly<Record<string, View>>) {
    this.#verbs = new Map(verbs.map((one) => [one.name, one]))
    this.#views = new Map(Object.entries(views))
  }

  serves(request: WireRequest): boolean {
    return request.path === prefix || request.path.startsWith(`${prefix}/`)
  }

  async answer(request: WireRequest): Promise<WireAnswer> {
    const name = request.path.slice(prefix.length + 1)
    try {
      if (request.method === 'GET') return this.#look(name)
      if (request.method !== 'POST') return refusal(405, 'Control is GET to look and POST to act.')
      const verb = this.#verbs.get(name)
      if (!verb) return refusal(404, `There is no verb "${name}". ${this.#verbList()}`)
      return json(200, (await verb.run(read(verb, request.body))) ?? { done: true })
    } catch (error) {
      if (error instanceof ControlError) return refusal(400, error.message)
      throw error
    }
  }

  #look(name: string): WireAnswer {
    if (name === '') {
      const verbs = [...this.#verbs.values()].map(({ name, does, fields }) => ({ verb: name, does, fields }))
      return json(200, { verbs, views: [...this.#views.keys()] })
    }
    const view = this.#views.get(name)
    if (view) return json(200, view())
    return refusal(404, `There is nothing to see at "${name}". There is: ${[...this.#views.keys()].join(', ')}.`)
  }

  #verbList(): string {
    return `The verbs are: ${[...this.#verbs.keys()].join(', ')}.`
  }
}

function read(verb: Verb, body: string): Readonly<Record<string, unknown>> {
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
    if (value === undefined || value === null) {
      if (!type.endsWith('?')) throw new ControlError(`"${verb.name}" needs the field "${name}".`)
      continue
    }
    read[name] = readers[type.replace('?', '') as FieldKind](name, value)
  }
  return read
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

function json(status: number, value: unknown): WireAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(value, null, 2)}\n` }
}

function refusal(status: number, message: string): WireAnswer {
  return json(status, { error: message })
}
