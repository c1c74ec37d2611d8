import type { Ctx } from '../../../api/ctx.ts'
import { once, type Asking } from '../../instances.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Check } from '../../shared/shape.ts'
import { PageTokens } from '../../wire/page-tokens.ts'
import type { GceAction } from './buckets.ts'
import { listShape } from './answers.ts'
import type { Gce } from './client.ts'
import { isZoneOf, type GceAggregatedList } from './documents.ts'

/** What is listed over all zones of a project. */
export interface Wish<Collection extends string> {
  readonly scope: Scope
  readonly collection: Collection
  readonly action: GceAction
  /** Such as `compute#instance`. */
  readonly kind: string
  /** Of one item. */
  readonly shape: Check
  readonly filter: string
  readonly fields: string
  /** `Infinity` for a poller, who holds up nobody while he waits for his turn. */
  readonly maxWaitMs?: number
  /** Left out: each page is asked for once. */
  readonly asking?: Asking | undefined
}

export interface Page<T> {
  /** Those in the zones of the scope's region, with the zone. */
  readonly items: readonly { readonly zone: string; readonly item: T }[]
  /** The zones of the region that have not answered, or only in part; '' for what may be any of them. */
  readonly unreachable: readonly string[]
  readonly isLast: boolean
}

const mostOnAPage = 500

/** One list over all zones, page by page. A zone that does not answer makes it a part, not a failure. */
export async function* aggregated<Collection extends string, T>(
  gce: Gce,
  wish: Wish<Collection>,
  ctx: Ctx,
): AsyncGenerator<Page<T>> {
  const { scope, collection, action, kind, shape, filter, fields, maxWaitMs, asking = once } = wish
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
    const answer = await asking(() => gce.call<GceAggregatedList<Collection, T>>(call, ctx))
    pageToken = tokens.next(answer.nextPageToken)
    yield { ...pageOf<Collection, T>(answer, collection, scope.region), isLast: pageToken === undefined }
  } while (pageToken !== undefined)
}

function pageOf<Collection extends string, T>(
  { items = {}, unreachables = [] }: GceAggregatedList<Collection, T>,
  collection: Collection,
  region: string,
): Omit<Page<T>, 'isLast'> {
  const ours = Object.entries(items).filter(([place]) => isOfRegion(place, region))
  // That there is nothing is said as a warning too.
  const warned = ours.filter(([, { warning }]) => warning !== undefined && warning.code !== 'NO_RESULTS_ON_PAGE')
  return {
    items: ours.flatMap(([place, scoped]) =>
      (scoped[collection] ?? []).map((item) => ({ zone: place.slice(place.lastIndexOf('/') + 1), item })),
    ),
    unreachable: [...warned.map(([place]) => place), ...unreachables.filter((place) => isOfRegion(place, region))].map(
      nameOfZone,
    ),
  }
}

/** `projects/<project>/zones/<zone>` in one list, `zones/<zone>` in the other. */
function nameOfZone(place: string): string {
  return /(?:^|\/)zones\/([^/]+)$/.exec(place)?.[1] ?? ''
}

/** What names neither a zone nor a region may be any place: it counts as ours. */
function isOfRegion(place: string, region: string): boolean {
  const [, where, name = ''] = /(?:^|\/)(zones|regions)\/([^/]+)$/.exec(place) ?? []
  if (where === undefined) return place !== 'global'
  return where === 'zones' ? isZoneOf(region, name) : name === region
}
