import type { Ctx } from '../../../api/ctx.ts'
import { PageTokens } from '../../wire/page-tokens.ts'
import { retryPage } from '../../wire/retry-page.ts'
import type { Page } from './answers.ts'
import type { Vpc, VpcCall } from './client.ts'

interface Listing<T> extends Omit<VpcCall<Page<T>>, 'request'> {
  /** Below the endpoint, such as `['instances']`. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  /** A page that was refused is requested again: for the list of the fleet. */
  readonly retriesPages?: boolean
}

const mostOnAPage = 100

/** Page by page, each a call of its own. */
export async function* pages<T>(
  vpc: Vpc,
  { path, query, retriesPages, ...call }: Listing<T>,
  ctx: Ctx,
): AsyncGenerator<Page<T>> {
  const tokens = new PageTokens()
  for (let start: string | undefined; ;) {
    const from = start === undefined ? {} : { start }
    const request = { method: 'GET', path, query: { ...query, ...from, limit: mostOnAPage } } as const
    const send = () => vpc.call({ ...call, request }, ctx)
    const page = await (retriesPages ? retryPage(send, ctx) : send())
    yield page
    if (page.next === undefined) return
    start = tokens.next(page.next)
  }
}
