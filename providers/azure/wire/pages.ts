import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Check } from '../../shared/shape.ts'
import { PageTokens } from '../../wire/page-tokens.ts'
import { retryPage } from '../../wire/retry-page.ts'
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
  /** A page that was refused is requested again: for the lists of the fleet. */
  readonly retriesPages?: boolean
}

/** Page by page, each a call of its own. A poller holds no worker while it waits. */
export async function* pages<T>(
  arm: Arm,
  { retriesPages, shape, ...listing }: Listing,
  ctx: Ctx,
): AsyncIterable<Page<T>> {
  const tokens = new PageTokens()
  let path = tokens.next(listing.path)
  while (path !== undefined) {
    const call = { ...listing, path, maxWaitMs: Infinity }
    const request = async () => pageIn<T>(await arm.call(call, ctx), shape)
    const page = await (retriesPages ? retryPage(request, ctx) : request())
    yield page
    path = tokens.next(page.next)
  }
}

export async function everything<T>(arm: Arm, listing: Listing, ctx: Ctx): Promise<T[]> {
  const all: T[] = []
  for await (const { items } of pages<T>(arm, listing, ctx)) all.push(...items)
  return all
}
