import type { Ctx } from '../../../api/ctx.ts'
import { once, type Asking } from '../../instances.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Check } from '../../shared/shape.ts'
import { PageTokens } from '../../wire/page-tokens.ts'
import type { ArmAction } from './actions.ts'
import type { Arm } from './client.ts'
import { pageIn, type Page } from './answers.ts'

export interface Listing {
  readonly scope: Scope
  readonly action: ArmAction
  readonly path: string
  /** Of one item. */
  readonly shape: Check
  readonly query?: Readonly<Record<string, string>>
  /** Left out: each page is asked for once. */
  readonly asking?: Asking | undefined
}

/** Page by page, each a call of its own. A poller holds no worker while it waits. */
export async function* pages<T>(
  arm: Arm,
  { asking = once, shape, ...listing }: Listing,
  ctx: Ctx,
): AsyncIterable<Page<T>> {
  const tokens = new PageTokens()
  let path = tokens.next(listing.path)
  while (path !== undefined) {
    const call = { ...listing, path, maxWaitMs: Infinity }
    const page: Page<T> = pageIn(await asking(() => arm.call(call, ctx)), shape)
    yield page
    path = tokens.next(page.next)
  }
}

export async function everything<T>(arm: Arm, listing: Listing, ctx: Ctx): Promise<T[]> {
  const all: T[] = []
  for await (const { items } of pages<T>(arm, listing, ctx)) all.push(...items)
  return all
}
