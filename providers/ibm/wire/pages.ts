import type { Ctx } from '../../../api/ctx.ts'
import { once, type Asking } from '../../instances.ts'
import { PageTokens } from '../../wire/page-tokens.ts'
import type { Page } from './answers.ts'
import type { Vpc, VpcCall } from './client.ts'

interface Listing<T> extends Omit<VpcCall<Page<T>>, 'request'> {
  /** Below the endpoint, such as `['instances']`. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  /** Left out: each page is asked for once. */
  readonly asking?: Asking | undefined
}

const mostOnAPage = 100

/** Page by page, each a call of its own. */
export async function* pages<T>(
  vpc: Vpc,
  { path, query, asking = once, ...call }: Listing<T>,
  ctx: Ctx,
): AsyncGenerator<Page<T>> {
  const tokens = new PageTokens()
  for (let start: string | undefined; ;) {
    const from = start === undefined ? {} : { start }
    const request = { method: 'GET', path, query: { ...query, ...from, limit: mostOnAPage } } as const
    const page = await asking(() => vpc.call({ ...call, request }, ctx))
    yield page
    if (page.next === undefined) return
    start = tokens.next(page.next)
  }
}
