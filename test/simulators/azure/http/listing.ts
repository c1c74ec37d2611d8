import { pageOf } from '../../kit/http/page.ts'
import type { Account } from '../account.ts'
import type { ArmRequest, Reply } from './action.ts'
import { ArmError } from './errors.ts'

interface Item {
  /** Its place in the order in which things are listed; it never changes. */
  readonly number: number
}

/** A page of a list. */
export function page<T extends Item>(
  action: string,
  all: readonly T[],
  write: (item: T) => object,
  { request, account }: { request: ArmRequest; account: Account },
): Reply {
  const placed = all.map((item) => ({ item, place: item.number }))
  const { items, next } = pageOf(action, placed, {
    token: request.query.get('$skiptoken') ?? undefined,
    size: account.pageSize,
    spoil: account.spoils.takePage(action),
    malformed,
  })
  return {
    status: 200,
    body: { value: items.map(write), ...(next !== undefined && { nextLink: linkTo(next, request) }) },
  }
}

function linkTo(token: string, { origin, query, path }: ArmRequest): string {
  const link = new URL(path, origin)
  for (const [name, value] of query) link.searchParams.set(name, value)
  link.searchParams.set('$skiptoken', token)
  return link.href
}

function malformed(token: string): ArmError {
  return new ArmError('InvalidParameter', `The value '${token}' of parameter $skiptoken is invalid.`, {
    target: '$skiptoken',
  })
}
