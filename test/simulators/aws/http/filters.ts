import { Ec2Error, invalidValue, missing } from './errors.ts'
import { list, structure, text } from '../../kit/http/schema.ts'
import type { Tag, World } from '../world.ts'

/** The parameter by which every Describe is filtered. */
export const filterField = list(structure({ Name: text, Value: list(text) }))

export interface Filter {
  readonly Name?: string
  readonly Value?: readonly string[]
}

/** What the things of a Describe can be filtered by. */
export interface Filterable<T> {
  /** For each filter of the action: the values that a thing has for it. */
  readonly filters: Readonly<Record<string, (item: T, world: World) => readonly (string | undefined)[]>>
  /** Left out: these things have no tags. */
  readonly tagsOf?: (item: T) => readonly Tag[]
}

interface Bound<T> extends Filterable<T> {
  readonly world: World
}

const mostFilters = 50
const mostValues = 200

/** The items that pass every filter. A filter passes what has one of its values; `*` and `?` stand for anything. */
export function select<T>(items: readonly T[], given: readonly Filter[], bound: Bound<T>): readonly T[] {
  if (given.length > mostFilters) {
    throw new Ec2Error(
      'FilterLimitExceeded',
      `The maximum number of filters specified on a single call is ${mostFilters}`,
    )
  }
  const tests = given.map((filter, at) => test(filter, at + 1, bound))
  return tests.length === 0 ? items : items.filter((item) => tests.every((passes) => passes(item)))
}

function test<T>(filter: Filter, number: number, bound: Bound<T>): (item: T) => boolean {
  const { Name: name, Value: wanted } = filter
  if (name === undefined) throw missing(`Filter.${number}.Name`)
  if (wanted === undefined) throw missing(`Filter.${number}.Value`)
  if (wanted.length > mostValues) {
    throw new Ec2Error(
      'FilterLimitExceeded',
      `The maximum number of filter values specified on a single call is ${mostValues}`,
    )
  }
  const values = valuesOf(name, bound)
  const matches = matcher(wanted)
  return (item) => values(item).some((value) => value !== undefined && matches(value))
}

function valuesOf<T>(name: string, { filters, tagsOf, world }: Bound<T>): (item: T) => readonly (string | undefined)[] {
  if (tagsOf && name === 'tag-key') return (item) => tagsOf(item).map(({ key }) => key)
  if (tagsOf && name.startsWith('tag:')) {
    const wanted = name.slice('tag:'.length)
    return (item) =>
      tagsOf(item)
        .filter(({ key }) => key === wanted)
        .map(({ value }) => value)
  }
  const values = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (values) return (item) => values(item, world)
  throw invalidValue(`The filter '${name}' is invalid`)
}

function matcher(patterns: readonly string[]): (value: string) => boolean {
  const plain = new Set(patterns.filter((pattern) => !/[*?\\]/.test(pattern)))
  const wild = patterns.filter((pattern) => /[*?\\]/.test(pattern)).map(wildcard)
  return (value) => plain.has(value) || wild.some((pattern) => pattern.test(value))
}

/** A backslash takes the meaning from `*`, `?` and itself. */
function wildcard(pattern: string): RegExp {
  const source = pattern.replace(/\\([*?\\])|[\s\S]/g, (sign, escaped: string | undefined) => {
    if (escaped !== undefined) return `\\${escaped}`
    if (sign === '*') return '[\\s\\S]*'
    if (sign === '?') return '[\\s\\S]'
    return sign.replace(/[.+^${}()|[\]\\/-]/, '\\$&')
  })
  return new RegExp(`^${source}$`)
}
