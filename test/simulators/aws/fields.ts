/**
 * What parameters an action knows, as data. `decode` turns EC2's flat parameters (`BlockDeviceMapping.1.Ebs.Iops=3000`)
 * into values by it, so that an unknown parameter, a wrong type or an unknown word is refused for every action alike.
 */
export type Field = (
  | { readonly kind: 'text' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'boolean' }
  /** A moment, as ISO 8601 writes it; its value is in milliseconds. */
  | { readonly kind: 'time' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly of: Field }
  | { readonly kind: 'structure'; readonly fields: Fields }
  | { readonly kind: 'notSimulated' }
) & { readonly required?: boolean }

export interface Fields {
  readonly [name: string]: Field
}

export type Value<F extends Field> = F extends { kind: 'integer' | 'time' }
  ? number
  : F extends { kind: 'boolean' }
    ? boolean
    : F extends { kind: 'word'; words: readonly (infer W)[] }
      ? W
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
export const integer = { kind: 'integer' } as const
export const boolean = { kind: 'boolean' } as const
export const time = { kind: 'time' } as const
/** EC2 knows this parameter; the simulator refuses it and says so. */
export const unplayed = { kind: 'notSimulated' } as const

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
