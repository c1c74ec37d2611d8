import { required, text, type Fields } from '../../kit/http/schema.ts'

/** A word whose case does not matter. `type`: as Azure's refusals call it. */
export function word<const W extends readonly string[]>(
  type: string,
  ...words: W
): { kind: 'word'; type: string; words: W } {
  return { kind: 'word', type, words }
}

export function structure<const F extends Fields>(
  type: string,
  fields: F,
): { kind: 'structure'; type: string; fields: F } {
  return { kind: 'structure', type, fields }
}

/** A reference to another resource. */
export const reference = structure('SubResource', { id: required(text) })
