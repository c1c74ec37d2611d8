import type { Ctx } from '../../api/ctx.ts'
import type { Scope } from '../instances.ts'
import type { ArmAction } from './actions.ts'
import type { Arm } from './client.ts'
import { pageIn, type Page } from './documents.ts'

export interface Listing {
  readonly scope: Scope
  readonly action: ArmAction
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
}

/** Page by page, each a call of its own. Who lists holds up nobody while he waits for his turn. */
export async function* pages<T>(arm: Arm, listing: Listing, ctx: Ctx): AsyncIterable<Page<T>> {
  let path: string | undefined = listing.path
  while (path !== undefined) {
    const page: Page<T> = pageIn(await arm.call({ ...listing, path, maxWaitMs: Infinity }, ctx))
    yield page
    path = page.next
  }
}

export async function everything<T>(arm: Arm, listing: Listing, ctx: Ctx): Promise<T[]> {
  const all: T[] = []
  for await (const { items } of pages<T>(arm, listing, ctx)) all.push(...items)
  return all
}
