/**
 * What messages of GCE's API hold, as data. `decode` reads what callers send by it, so that an unknown name, a wrong
 * type or an unknown word is refused for every call alike; filters and field masks may name what stands here and
 * nothing else.
 */
export type Field =
  | { readonly kind: 'text' }
  | { readonly kind: 'int32' }
  /** Written as a string; callers may send a number. */
  | { readonly kind: 'int64' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly of: Field }
  | { readonly kind: 'map'; readonly of: Field }
  | { readonly kind: 'structure'; readonly fields: Fields }
  /** GCE says it and does not listen to it: what a caller sends here is passed over. */
  | { readonly kind: 'output'; readonly of?: Field }
  | { readonly kind: 'notSimulated' }

export interface Fields {
  readonly [name: string]: Field
}

export type Value<F extends Field> = F extends { kind: 'int32' | 'int64' }
  ? number
  : F extends { kind: 'boolean' }
    ? boolean
    : F extends { kind: 'word'; words: readonly (infer W)[] }
      ? W
      : F extends { kind: 'list'; of: infer O extends Field }
        ? Value<O>[]
        : F extends { kind: 'map'; of: infer O extends Field }
          ? Record<string, Value<O>>
          : F extends { kind: 'structure'; fields: infer S extends Fields }
            ? Values<S>
            : F extends { kind: 'notSimulated' | 'output' }
              ? never
              : string

/** Nothing is required by the messages themselves: what has to be there is for each call to say. */
export type Values<F extends Fields> = { [K in keyof F]?: Value<F[K]> }

export const text = { kind: 'text' } as const
export const int32 = { kind: 'int32' } as const
export const int64 = { kind: 'int64' } as const
export const boolean = { kind: 'boolean' } as const
export const output = { kind: 'output' } as const
/** GCE knows this field; the simulator refuses it and says so. */
export const unplayed = { kind: 'notSimulated' } as const

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

export function outputOf(of: Field): Field {
  return { kind: 'output', of }
}

/** Each of these is said by GCE and not listened to. */
export function outputs<const N extends readonly string[]>(...names: N): Record<N[number], typeof output> {
  return Object.fromEntries(names.map((name) => [name, output])) as Record<N[number], typeof output>
}

export function unplayedAll<const N extends readonly string[]>(...names: N): Record<N[number], typeof unplayed> {
  return Object.fromEntries(names.map((name) => [name, unplayed])) as Record<N[number], typeof unplayed>
}
