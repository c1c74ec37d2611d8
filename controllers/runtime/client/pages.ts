import type { Ctx } from '../../../api/ctx.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import { ApiError, isTooLarge } from './api-error.ts'
import type { KubeClient, ListPage, Selection } from './client.ts'
import { keyOf } from './resource.ts'

export interface Paging extends Selection {
  readonly pageSize: number
}

/** After this many pages in a row that were not too large, the next page may have twice as many objects. */
const pagesBeforeGrowth = 4

/**
 * A list, page by page. A page that is too large is requested again with half as many objects, down to a single one. A
 * few huge objects must not hide all the others.
 */
export async function* pagesOf<T extends KubeObject = KubeObject>(
  client: Pick<KubeClient, 'list'>,
  resource: Resource,
  { pageSize, ...selection }: Paging,
  ctx: Ctx,
): AsyncGenerator<ListPage<T>> {
  let limit = pageSize
  let good = 0
  let token: string | undefined
  let last = ''
  for (;;) {
    const asked = { ...selection, limit, continue: token }
    const page = await client.list<T>(resource, asked, ctx).catch((error: unknown) => {
      if (isTooLarge(error)) return undefined
      throw error
    })
    if (!page) {
      if (limit === 1) throw tooLargeAlone(resource, last)
      limit = Math.ceil(limit / 2)
      good = 0
      continue
    }
    yield page
    const end = page.items.at(-1)
    if (end) last = keyOf(end)
    if (page.continue === undefined) return
    if (page.continue === token) {
      throw new ApiError({ status: 0, reason: 'Garbled', message: 'The pages of the list go round in a circle.' })
    }
    token = page.continue
    if (++good % pagesBeforeGrowth === 0) limit = Math.min(pageSize, limit * 2)
  }
}

function tooLargeAlone({ kind }: Resource, last: string): ApiError {
  const which = last === '' ? `The first ${kind}` : `The ${kind} that follows ${last}`
  const message = `${which} alone is too large to be read; remove what makes it so large, for no ${kind} can be listed.`
  return new ApiError({ status: 0, reason: 'TooLarge', message })
}
