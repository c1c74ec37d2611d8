import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Check } from '../../shared/shape.ts'
import { PageTokens } from '../../wire/page-tokens.ts'
import { retryPage } from '../../wire/retry-page.ts'
import type { GceAction } from './buckets.ts'
import { listShape } from './answers.ts'
import type { Gce } from './client.ts'
import { isZoneOf, type GceAggregatedList } from './documents.ts'

/** A list over all zones of a project. */
export interface Listing<Collection extends string> {
  readonly scope: Scope
  readonly collection: Collection
  readonly action: GceAction
  /** Such as `compute#instance`. */
  readonly kind: string
  /** Of one item. */
  readonly shape: Check
  readonly filter: string
  readonly fields: string
  /** `Infinity` for a poller: it holds no worker while it waits. */
  readonly maxWaitMs?: number
  /** A page that was refused is requested again: for the list of the fleet. */
  readonly retriesPages?: boolean
}

export interface Page<T> {
  /** The items in the zones of the scope's region, each with its zone. */
  readonly items: readonly { readonly zone: string; readonly item: T }[]
  /** The zones of the region that have not answered, or only in part; '' for one that may be any zone. */
  readonly unreachable: readonly string[]
}

const mostOnAPage = 500

/**
 * One list over all zones, page by page. A zone that does not answer makes the list incomplete; the list does not fail.
 */
export async function* pages<Collection extends string, T>(
  gce: Gce,
  listing: Listing<Collection>,
  ctx: Ctx,
): AsyncGenerator<Page<T>> {
  const { scope, collection, action, kind, shape, filter, fields, maxWaitMs, retriesPages } = listing
  const tokens = new PageTokens()
  let pageToken: string | undefined
  do {
    const call = {
      scope,
      action,
      method: 'GET',
      path: ['aggregated', collection],
      query: {
        filter,
        maxResults: mostOnAPage,
        returnPartialSuccess: true,
        fields: `kind,nextPageToken,unreachables,items/*/warning/code,items/*/${collection}(${fields})`,
        pageToken,
      },
      kind: `${kind}AggregatedList`,
      shape: listShape(collection, shape),
      ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
    } as const
    const page = () => gce.call<GceAggregatedList<Collection, T>>(call, ctx)
    const answer = await (retriesPages ? retryPage(page, ctx) : page())
    pageToken = tokens.next(answer.nextPageToken)
    yield pageOf<Collection, T>(answer, collection, scope.region)
  } while (pageToken !== undefined)
}

function pageOf<Collection extends string, T>(
  { items = {}, unreachables = [] }: GceAggregatedList<Collection, T>,
  collection: Collection,
  region: string,
): Page<T> {
  const ours = Object.entries(items).filter(([address]) => isOfRegion(address, region))
  // An empty zone has a warning, too.
  const warned = ours.filter(([, { warning }]) => warning !== undefined && warning.code !== 'NO_RESULTS_ON_PAGE')
  return {
    items: ours.flatMap(([address, scoped]) =>
      (scoped[collection] ?? []).map((item) => ({ zone: address.slice(address.lastIndexOf('/') + 1), item })),
    ),
    unreachable: [
      ...warned.map(([address]) => address),
      ...unreachables.filter((address) => isOfRegion(address, region)),
    ].map(nameOfZone),
  }
}

/** `projects/<project>/zones/<zone>` in one list, `zones/<zone>` in the other. */
function nameOfZone(address: string): string {
  return /(?:^|\/)zones\/([^/]+)$/.exec(address)?.[1] ?? ''
}

/** A text that names neither a zone nor a region may be any zone, so it counts as ours. */
function isOfRegion(address: string, region: string): boolean {
  const [, where, name = ''] = /(?:^|\/)(zones|regions)\/([^/]+)$/.exec(address) ?? []
  if (where === undefined) return address !== 'global'
  return where === 'zones' ? isZoneOf(region, name) : name === region
}
