import type { CapacityHole } from './capacity.ts'
import { ControlError } from './control.ts'

export function marketCalled(text: string | undefined): CapacityHole['market'] {
  return wordOf('market', text, ['spot', 'on-demand'])
}

/** A word of a list, or nothing where nothing was given. */
export function wordOf<const W extends string>(
  field: string,
  text: string | undefined,
  words: readonly W[],
): W | undefined {
  return text === undefined ? undefined : known(field, text, words)
}

export function known<const W extends string>(field: string, text: string, words: readonly W[]): W {
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  throw new ControlError(`"${field}" must be ${words.map((word) => `"${word}"`).join(' or ')}.`)
}

type Compact<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without what is undefined. */
export function compact<T extends object>(given: T): Compact<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Compact<T>
}
