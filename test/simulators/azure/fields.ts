/**
 * What a body may say, as data. `decode` reads JSON by it, so that an unknown member, a wrong type or an unknown word
 * is refused for every call alike.
 */
export type Field = (
  | { readonly kind: 'text' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'number' }
  | { readonly kind: 'boolean' }
  /** Its case does not matter. */
  | { readonly kind: 'word'; readonly type: string; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly of: Field }
  | { readonly kind: 'structure'; readonly type: string; readonly fields: Fields }
  /** An object of strings. */
  | { readonly kind: 'texts' }
  /** Whatever it is, it is only kept and shown again. */
  | { readonly kind: 'kept' }
  /** Azure's own to say: from a caller it means nothing. */
  | { readonly kind: 'readOnly' }
  | { readonly kind: 'notSimulated' }
) & { readonly required?: boolean }

export interface Fields {
  readonly [name: string]: Field
}

export type Value<F extends Field> = F extends { kind: 'integer' | 'number' }
  ? number
  : F extends { kind: 'boolean' }
    ? boolean
    : F extends { kind: 'word'; words: readonly (infer W)[] }
      ? W
      : F extends { kind: 'list'; of: infer O extends Field }
        ? Value<O>[]
        : F extends { kind: 'structure'; fields: infer S extends Fields }
          ? Values<S>
          : F extends { kind: 'texts' }
            ? Readonly<Record<string, string>>
            : F extends { kind: 'notSimulated' | 'readOnly' }
              ? never
              : F extends { kind: 'kept' }
                ? unknown
                : string

export type Values<F extends Fields> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: Value<F[K]>
} & {
  [K in keyof F as F[K] extends { required: true } ? never : K]?: Value<F[K]>
}

export const text = { kind: 'text' } as const
export const integer = { kind: 'integer' } as const
export const number = { kind: 'number' } as const
export const boolean = { kind: 'boolean' } as const
export const texts = { kind: 'texts' } as const
export const kept = { kind: 'kept' } as const
export const readOnly = { kind: 'readOnly' } as const
/** Azure knows this member; the simulator refuses it and says so. */
export const unplayed = { kind: 'notSimulated' } as const

export function word<const W extends readonly string[]>(
  type: string,
  ...words: W
): { kind: 'word'; type: string; words: W } {
  return { kind: 'word', type, words }
}

export function list<const F extends Field>(of: F): { kind: 'list'; of: F } {
  return { kind: 'list', of }
}

export function structure<const F extends Fields>(
  type: string,
  fields: F,
): { kind: 'structure'; type: string; fields: F } {
  return { kind: 'structure', type, fields }
}

export function required<const F extends Field>(field: F): F & { required: true } {
  return { ...field, required: true }
}

/** A reference to another resource. */
export const reference = structure('SubResource', { id: required(text) })
