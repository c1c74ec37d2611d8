import type { PageSpoil } from '../faults/spoils.ts'

/** Something that is listed, and its place in the order, which never changes. */
export interface Placed<T> {
  readonly item: T
  readonly place: number | string
}

interface Asked {
  /** Of the page before; undefined: the first page is asked for. */
  readonly token: string | undefined
  readonly size: number
  readonly spoil: PageSpoil | undefined
  /** The cloud's refusal of a token that is not one of this list. */
  readonly malformed: (token: string) => Error
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Undefined: the list ends here. */
  readonly next: string | undefined
}

/**
 * A page goes on after the place where the one before ended, not after a count: what is made or ends between two pages
 * shifts nothing.
 */
export function pageOf<T>(list: string, all: readonly Placed<T>[], { token, size, spoil, malformed }: Asked): Page<T> {
  const after = token === undefined ? undefined : readToken(token, list, malformed)
  const rest = after === undefined ? all : all.filter(({ place }) => place > after)
  const shown = rest.slice(0, spoiltSize(Math.min(size, rest.length), spoil))
  const items = shown.map(({ item }) => item)
  if (spoil === 'repeated-token') return { items, next: token ?? writeToken(list, after) }
  const goesOn = shown.length < rest.length || spoil === 'empty-page'
  return { items, next: goesOn ? writeToken(list, shown.at(-1)?.place ?? after) : undefined }
}

function spoiltSize(size: number, spoil: PageSpoil | undefined): number {
  if (spoil === 'empty-page') return 0
  if (spoil === 'short-page') return Math.floor(size / 2)
  return spoil === 'long-page' ? 2 * size : size
}

type Place = Placed<unknown>['place'] | undefined

function writeToken(list: string, last: Place): string {
  return Buffer.from(JSON.stringify([list, last ?? null])).toString('base64url')
}

function readToken(token: string, list: string, malformed: Asked['malformed']): Place {
  try {
    const [of, last] = JSON.parse(Buffer.from(token, 'base64url').toString()) as readonly unknown[]
    if (of === list && (typeof last === 'number' || typeof last === 'string')) return last
    if (of === list && last === null) return undefined
  } catch {
    // No token of ours: refused below like one of another list.
  }
  throw malformed(token)
}
