import type { PageSpoil } from '../kit/spoils.ts'
import type { Account } from './account.ts'
import type { ArmRequest, Reply } from './action.ts'
import { ArmError } from './errors.ts'

interface Item {
  /** Its place in the order in which things are listed; it never changes. */
  readonly number: number
}

/**
 * A page of a list. It goes on after the place where the one before ended, not after a count: what is made or ends
 * between two pages shifts nothing.
 */
export function page<T extends Item>(
  action: string,
  items: readonly T[],
  write: (item: T) => object,
  { request, account }: { request: ArmRequest; account: Account },
): Reply {
  const spoil = account.spoils.takePage(action)
  const token = request.query.get('$skiptoken')
  const after = token === null ? 0 : readToken(token, action)
  const rest = items.filter(({ number }) => number > after)
  const size = spoiltSize(Math.min(account.pageSize, rest.length), spoil)
  const shown = rest.slice(0, size)
  const isLast = size >= rest.length && spoil !== 'empty-page' && spoil !== 'repeated-token'
  const next = spoil === 'repeated-token' ? after : (shown.at(-1)?.number ?? after)
  return {
    status: 200,
    body: { value: shown.map(write), ...(isLast ? {} : { nextLink: linkTo(next, action, request) }) },
  }
}

function spoiltSize(size: number, spoil: PageSpoil | undefined): number {
  if (spoil === 'empty-page') return 0
  if (spoil === 'short-page') return Math.floor(size / 2)
  return spoil === 'long-page' ? 2 * size : size
}

function linkTo(last: number, action: string, { origin, query, path }: ArmRequest): string {
  const link = new URL(path, origin)
  for (const [name, value] of query) link.searchParams.set(name, value)
  link.searchParams.set('$skiptoken', Buffer.from(JSON.stringify([action, last])).toString('base64url'))
  return link.href
}

function readToken(token: string, action: string): number {
  try {
    const [of, last] = JSON.parse(Buffer.from(token, 'base64url').toString()) as readonly unknown[]
    if (of === action && typeof last === 'number') return last
  } catch {
    // Not a token of ours: refused below like one of another call.
  }
  throw new ArmError('InvalidParameter', `The value '${token}' of parameter $skiptoken is invalid.`, {
    target: '$skiptoken',
  })
}
