/**
 * What a request's body may say, as data. `decode` reads JSON by it, so that an unknown field, a wrong type or an
 * unknown word is refused for every call alike.
 */
export type Field = (
  | { readonly kind: 'text' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  /** One of several properties that say which resource is meant. */
  | { readonly kind: 'identity'; readonly by: readonly string[] }
  | { readonly kind: 'list'; readonly of: Field }
  | { readonly kind: 'structure'; readonly fields: Fields }
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

export type Value<F extends Field> = F extends { kind: 'integer' }
  ? number
  : F extends { kind: 'boolean' }
    ? boolean
    : F extends { kind: 'word'; words: readonly (infer W)[] }
      ? W
      : F extends { kind: 'identity' }
        ? Identity
        : F extends { kind: 'list'; of: infer O extends Field }
          ? Value<O>[]
          : F extends { kind: 'structure'; fields: infer S extends Fields }
            ? Values<S>
            : F extends { kind: 'notSimulated' }
              ? never
              : string

export type Values<F extends Fields> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: Value<F[K]>
} & {
  [K in keyof F as F[K] extends { required: true } ? never : K]?: Value<F[K]>
}

export const text = { kind: 'text' } as const
export const boolean = { kind: 'boolean' } as const
/** IBM Cloud knows this field; the simulator refuses it and says so. */
export const unplayed = { kind: 'notSimulated' } as const

export const byId = { kind: 'identity', by: ['id'] } as const
export const byReference = { kind: 'identity', by: ['id', 'crn', 'href'] } as const
export const byName = { kind: 'identity', by: ['name', 'href'] } as const

export function integer(min: number, max: number): { kind: 'integer'; min: number; max: number } {
  return { kind: 'integer', min, max }
}

export function word<const W extends readonly string[]>(...words: W): { kind: 'word'; words: W } {
  return { kind: 'word', words }
}

export function list<const F extends Field>(of: F): { kind: 'list'; of: F } {
  return { kind: 'list', of }
}

export function structure<const F extends Fields>(fields: F): { kind: 'structure'; fields: F } {
  return { kind: 'structure', fields }
}

export function required<const F extends Field>(field: F): F & { required: true } {
  return { ...field, required: true }
}
