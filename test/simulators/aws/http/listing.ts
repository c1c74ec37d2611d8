import type { Account } from '../account.ts'
import { action, type Action } from './action.ts'
import { invalidCombination, invalidValue } from './errors.ts'
import { pageOf } from '../../kit/http/page.ts'
import type { PageSpoil } from '../../kit/faults/spoils.ts'
import { integer, list, text, type Fields, type Values } from '../../kit/http/schema.ts'
import { filterField, select, type Filterable } from './filters.ts'
import { findAll, type IdKind, type NameKind } from '../ids.ts'
import type { Xml } from './xml.ts'

/** A Describe call: which things, by what they are found, how they are written. The rest is alike for all. */
export interface Listing<T> extends Filterable<T> {
  readonly name: string
  /** The element that holds the list. */
  readonly set: string
  readonly items: (account: Account) => readonly T[]
  /** How things are asked for by name. One that is not there fails the whole call. */
  readonly by: readonly By<T>[]
  /** Undefined: there is one page only, and the parameters of paging are unknown. */
  readonly page?: PageRule
  /** Other parameters that EC2 knows here. */
  readonly also?: Fields
  /** What those other parameters leave over; left out: they change nothing here. */
  readonly narrow?: (items: readonly T[], values: Readonly<Record<string, unknown>>, account: Account) => readonly T[]
  /** Its place in the order in which things are listed, for lists that change; it never changes itself. */
  readonly place?: (item: T) => number
  readonly write: (page: readonly T[], account: Account) => readonly Xml[]
}

interface PageRule {
  readonly min: number
  readonly max: number
  /** The size of a page when no size is asked for; left out: everything is one page. */
  readonly usual?: number
  /** A page that would be larger than `max` just is not; left out: to ask for it is refused. */
  readonly clips?: true
  /** Said instead of a token when there is no further page; left out: nothing is. */
  readonly lastToken?: string
}

interface By<T> {
  readonly parameter: string
  /** As EC2's sentences call it. */
  readonly called: string
  readonly of: (item: T) => string
  readonly kind: IdKind | NameKind
}

const common = { Filter: filterField, MaxResults: integer, NextToken: text }

export function describe<T>(listing: Listing<T>): Action {
  const { Filter, ...paging } = common
  const fields: Fields = {
    Filter,
    ...(listing.page && paging),
    ...listing.also,
    ...Object.fromEntries(listing.by.map(({ parameter }) => [parameter, list(text)])),
  }
  return action({
    name: listing.name,
    fields,
    perform(values, account) {
      const { Filter: filters = [], ...rest } = values as Values<typeof common>
      const { world } = account
      const named = byName(listing, values, listing.items(account))
      const narrowed = listing.narrow ? listing.narrow(named, values, account) : named
      const selected = select(narrowed, filters, { ...listing, world })
      const spoil = listing.page && account.spoils.takePage(listing.name)
      const { items, nextToken } = page(listing, selected, rest, spoil)
      return { [listing.set]: listing.write(items, account), nextToken }
    },
  })
}

function byName<T>({ by }: Listing<T>, values: Readonly<Record<string, unknown>>, items: readonly T[]): readonly T[] {
  let found = items
  for (const { parameter, called, of, kind } of by) {
    const names = values[parameter] as readonly string[] | undefined
    if (names === undefined) continue
    if (values['MaxResults'] !== undefined) {
      throw invalidCombination(`The parameter ${called} cannot be used with the parameter maxResults`)
    }
    const wanted = new Set(findAll(kind, names, items, of))
    found = found.filter((item) => wanted.has(item))
  }
  return found
}

interface Paging {
  readonly MaxResults?: number
  readonly NextToken?: string
}

function page<T>(
  { name, page: rule, place }: Listing<T>,
  items: readonly T[],
  { MaxResults: most, NextToken: token }: Paging,
  spoil: PageSpoil | undefined,
): { items: readonly T[]; nextToken: string | undefined } {
  const placed = items.map((item, at) => ({ item, place: place?.(item) ?? at }))
  const { items: shown, next } = pageOf(name, placed, {
    token,
    size: pageSize(most, rule),
    spoil,
    malformed: (given) => invalidValue(`Value ( ${given} ) for parameter NextToken is invalid. The token is invalid.`),
  })
  return { items: shown, nextToken: next ?? rule?.lastToken }
}

function pageSize(asked: number | undefined, rule: PageRule | undefined): number {
  if (!rule) return Infinity
  const { min, max, usual = Infinity, clips = false } = rule
  if (asked === undefined) return usual
  if (asked < min || (asked > max && !clips)) {
    const range = `Expecting a value between ${min} and ${max}`
    throw invalidValue(`Value ( ${asked} ) for parameter maxResults is invalid. ${range}.`)
  }
  return Math.min(asked, max)
}
