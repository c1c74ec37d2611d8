/** What a control call cannot do, in a sentence for the person who asked. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
}

export interface FieldTypes {
  text: string
  number: number
  boolean: boolean
  /** As people write it (`30s`), in milliseconds. */
  duration: number
  /** An object of strings. */
  texts: Readonly<Record<string, string>>
}

export type FieldKind = keyof FieldTypes

/** One of these words. */
interface Words<W extends string = string> {
  readonly words: readonly W[]
}

interface OptionalWords<W extends string = string> extends Words<W> {
  readonly optional: true
}

/** `?`: may be left out. */
export type FieldType = FieldKind | `${FieldKind}?` | Words | OptionalWords
type Optional = `${FieldKind}?` | OptionalWords
export type FieldTable = Readonly<Record<string, FieldType>>

type ValueOf<T> =
  T extends Words<infer W>
    ? W
    : T extends FieldKind
      ? FieldTypes[T]
      : T extends `${infer K extends FieldKind}?`
        ? FieldTypes[K]
        : never

export type Given<F extends FieldTable> = {
  [K in keyof F as F[K] extends Optional ? never : K]: ValueOf<F[K]>
} & {
  [K in keyof F as F[K] extends Optional ? K : never]?: ValueOf<F[K]>
}

export function oneOf<const W extends string>(words: readonly W[]): Words<W> {
  return { words }
}

export function optionalOneOf<const W extends string>(words: readonly W[]): OptionalWords<W> {
  return { words, optional: true }
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

/** Which types of field can be a parameter of this type. */
type TypeFor<P> = undefined extends P ? Extract<FieldFor<NonNullable<P>>, Optional> : Exclude<FieldFor<P>, Optional>

type FieldFor<P> = [P] extends [string]
  ? string extends P
    ? 'text' | 'text?'
    : Words<P> | OptionalWords<P>
  : P extends number
    ? 'number' | 'number?' | 'duration' | 'duration?'
    : P extends FieldTypes['texts']
      ? 'texts' | 'texts?'
      : never

type FieldsFor<P extends readonly unknown[]> = { [I in keyof P]: readonly [name: string, type: TypeFor<P[I]>] }

/**
 * Writes verbs down that are methods of a control: `acceptKeys` is called `accept-keys`, and its fields are the
 * method's parameters, one after the other.
 */
export function verbsOf<C extends object>(control: C) {
  return <N extends keyof C & string>(
    method: N,
    does: string,
    ...fields: C[N] extends (...parameters: infer P) => unknown ? FieldsFor<P> : never
  ): Verb => {
    const table = fields as readonly (readonly [string, FieldType])[]
    const act = control[method] as (...parameters: unknown[]) => unknown
    return {
      name: method.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      does,
      fields: Object.fromEntries(table),
      run: (given) => void act(...table.map(([name]) => given[name])),
    }
  }
}
