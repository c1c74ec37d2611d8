/**
 * What a request may say, as data. Each cloud's decoder reads by it, so that an unknown name, a wrong type or an
 * unknown word is refused for every call alike. No cloud has all of these kinds.
 */
export type Field = (
  | { readonly kind: 'text' | 'number' | 'boolean' | 'int32' }
  | { readonly kind: 'integer'; readonly min?: number; readonly max?: number }
  /** Written as a string; callers may send a number. */
  | { readonly kind: 'int64' }
  /** A moment, as ISO 8601 writes it; its value is in milliseconds. */
  | { readonly kind: 'time' }
  | { readonly kind: 'word'; readonly words: readonly string[]; readonly type?: string }
  /** One of several properties that say which resource is meant. */
  | { readonly kind: 'identity'; readonly by: readonly string[] }
  | { readonly kind: 'list' | 'map'; readonly of: Field }
  /** `type`: its name, where the cloud's refusals say it. */
  | { readonly kind: 'structure'; readonly fields: Fields; readonly type?: string }
  /** Its value is not looked at, only kept and shown again. */
  | { readonly kind: 'kept' }
  /** The cloud says it and does not listen to it: what a caller sends here is passed over. */
  | { readonly kind: 'output'; readonly of?: Field }
  /** The cloud knows it; the simulator refuses it and says so. */
  | { readonly kind: 'notSimulated' }
) & { readonly required?: boolean }

export interface Fields {
  readonly [name: string]: Field
}

/** Which resource is meant, and by which of its properties. */
export interface Identity {
  readonly by: string
  readonly value: string
}

/** The values of the kinds that hold no other field. */
interface Plain {
  text: string
  integer: number
  number: number
  int32: number
  int64: number
  time: number
  boolean: boolean
  identity: Identity
  kept: unknown
  output: never
  notSimulated: never
}

export type Value<F extends Field> = F extends { kind: infer K extends keyof Plain }
  ? Plain[K]
  : F extends { kind: 'word'; words: readonly (infer W)[] }
    ? W
    : F extends { kind: 'list'; of: infer O extends Field }
      ? Value<O>[]
      : F extends { kind: 'map'; of: infer O extends Field }
        ? Readonly<Record<string, Value<O>>>
        : F extends { kind: 'structure'; fields: infer S extends Fields }
          ? Values<S>
          : never

export type Values<F extends Fields> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: Value<F[K]>
} & {
  [K in keyof F as F[K] extends { required: true } ? never : K]?: Value<F[K]>
}

export const text = { kind: 'text' } as const
export const integer = { kind: 'integer' } as const
export const number = { kind: 'number' } as const
export const int32 = { kind: 'int32' } as const
export const int64 = { kind: 'int64' } as const
export const boolean = { kind: 'boolean' } as const
export const time = { kind: 'time' } as const
export const kept = { kind: 'kept' } as const
export const output = { kind: 'output' } as const
export const unplayed = { kind: 'notSimulated' } as const

export function integerIn(min: number, max: number): { kind: 'integer'; min: number; max: number } {
  return { kind: 'integer', min, max }
}

export function word<const W extends readonly string[]>(...words: W): { kind: 'word'; words: W } {
  return { kind: 'word', words }
}

export function list<const F extends Field>(of: F): { kind: 'list'; of: F } {
  return { kind: 'list', of }
}

export function map<const F extends Field>(of: F): { kind: 'map'; of: F } {
  return { kind: 'map', of }
}

export function structure<const F extends Fields>(fields: F): { kind: 'structure'; fields: F } {
  return { kind: 'structure', fields }
}

export function required<const F extends Field>(field: F): F & { required: true } {
  return { ...field, required: true }
}

export function outputOf(of: Field): Field {
  return { kind: 'output', of }
}

type Names<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Names<Rest> : S

/** The same field under each of these names, with a space between them. */
export function each<const F extends Field, const N extends string>(field: F, names: N): Record<Names<N>, F> {
  return Object.fromEntries(names.split(' ').map((name) => [name, field])) as Record<Names<N>, F>
}
