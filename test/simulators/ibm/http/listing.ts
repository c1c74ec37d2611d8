import { pageOf } from '../../kit/http/page.ts'
import type { Account } from '../account.ts'
import { commonParameters, refuseUnknownParameters, type Action, type Answer, type Asked } from './action.ts'
import { badParameter, notFound, type IbmError } from './errors.ts'

/** A list of resources, and each of them alone. */
export interface Listing<T> {
  /** IBM's names of the two calls; without the second, nothing of it can be asked for alone. */
  readonly names: readonly [list: string, get?: string]
  readonly path: string
  /** Where the list stands in the answer. */
  readonly collection: string
  /** As IBM's sentences call one of them. */
  readonly called: string
  readonly items: (account: Account, asked: Asked) => readonly T[]
  /** For calls that ask for one; left out: those of the list. */
  readonly find?: (id: string, account: Account) => T | undefined
  /** What the list can be filtered by: the values that a thing has for it. Nothing else is a parameter of it. */
  readonly filters?: Readonly<Record<string, (item: T, account: Account) => readonly (string | undefined)[]>>
  /** Filters of which several values may be said, with commas between them. */
  readonly several?: readonly string[]
  /** Whether the list comes in pages; left out: it does. */
  readonly isPaged?: (asked: Asked) => boolean
  /** Its place in the order in which things are listed; it never changes. Left out: that of the list. */
  readonly place?: (item: T) => number
  readonly idOf: (item: T) => string
  readonly write: (item: T, asked: Asked, account: Account) => object
  /** Of what is asked for alone. */
  readonly headers?: (item: T) => Readonly<Record<string, string>>
}

const usualSize = 50
const largestSize = 100

export function listing<T>(of: Listing<T>): readonly Action[] {
  const [list, get] = of.names
  const all: Action = {
    name: list,
    method: 'GET',
    path: of.path,
    answer: (asked, account) => answerAll(of, asked, account),
  }
  if (get === undefined) return [all]
  const one: Action = {
    name: get,
    method: 'GET',
    path: `${of.path}/{id}`,
    answer(asked, account) {
      refuseUnknownParameters(asked.query, commonParameters, account.switches.behaviour.unknownFields)
      const { id = '' } = asked.path
      const found = of.find ? of.find(id, account) : of.items(account, asked).find((item) => of.idOf(item) === id)
      if (!found) throw notFound(of.called, id)
      return { status: 200, body: of.write(found, asked, account), ...(of.headers && { headers: of.headers(found) }) }
    },
  }
  return [all, one]
}

function answerAll<T>(of: Listing<T>, asked: Asked, account: Account): Answer {
  const { filters = {}, isPaged = () => true } = of
  const pages = isPaged(asked)
  const known = [...commonParameters, ...Object.keys(filters), ...(pages ? ['start', 'limit'] : [])]
  refuseUnknownParameters(asked.query, known, account.switches.behaviour.unknownFields)
  const selected = select(of, asked, account)
  const write = (items: readonly T[]) => items.map((item) => of.write(item, asked, account))
  if (!pages) return { status: 200, body: { [of.collection]: write(selected) } }
  const limit = limitOf(asked.query.get('limit'))
  const placed = selected.map((item, at) => ({ item, place: of.place?.(item) ?? at }))
  const page = pageOf(
    of.path,
    placed.toSorted((a, b) => a.place - b.place),
    {
      token: asked.query.get('start') ?? undefined,
      size: limit,
      spoil: account.spoils.takePage(of.names[0]),
      malformed,
    },
  )
  const address = addressOf(asked, account)
  const kept = Object.keys(filters).flatMap((name) => asked.query.getAll(name).map((value) => [name, value] as const))
  const link = (start?: string) => {
    const paging = { limit: String(limit), ...(start === undefined ? {} : { start }) }
    return { href: `${address}?${new URLSearchParams({ ...Object.fromEntries(kept), ...paging }).toString()}` }
  }
  const next = page.next === undefined ? {} : { next: link(page.next) }
  const counts = { limit, total_count: selected.length }
  return { status: 200, body: { first: link(), ...next, ...counts, [of.collection]: write(page.items) } }
}

function addressOf({ base, request }: Asked, { switches }: Account): string {
  return switches.behaviour.nextLink === 'relative' ? request.path : `${base.url}${request.path.slice('/v1'.length)}`
}

function select<T>({ items, filters = {}, several = [] }: Listing<T>, asked: Asked, account: Account): readonly T[] {
  const tests = Object.entries(filters).flatMap(([name, values]) => {
    const given = asked.query.get(name)
    if (given === null) return []
    const wanted = several.includes(name) ? given.split(',') : [given]
    return [(item: T) => values(item, account).some((value) => value !== undefined && wanted.includes(value))]
  })
  return items(account, asked).filter((item) => tests.every((passes) => passes(item)))
}

function limitOf(given: string | null): number {
  if (given === null) return usualSize
  const limit = /^-?\d{1,9}$/.test(given) ? Number(given) : NaN
  if (Number.isNaN(limit))
    throw badParameter('validation_invalid_field_type', 'limit', 'The limit must be a number.', given)
  if (limit < 1) throw badParameter('validation_min_value', 'limit', 'The limit must be at least 1.', given)
  if (limit <= largestSize) return limit
  throw badParameter('validation_max_value', 'limit', `The limit must be at most ${largestSize}.`, given)
}

function malformed(token: string): IbmError {
  return badParameter('invalid_id_format', 'start', 'Bad ID format. Ensure format is correct.', token)
}
