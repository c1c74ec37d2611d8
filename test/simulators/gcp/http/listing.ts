import { pageOf, type Page, type Placed } from '../../kit/http/page.ts'
import { action, type Action, type Given } from './action.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import { GceError, invalidValue } from './errors.ts'
import { boolean, int64, list, map, output, structure, text, type Field, type Fields } from '../../kit/http/schema.ts'
import { select } from './filters.ts'
import { regionOf, zoneOf } from '../places.ts'
import type { Project } from '../project.ts'
import { linkTo } from '../references.ts'
import type { World } from '../world.ts'

/** A kind of resource that can be listed: where it is, how it is written. The rest is alike for all. */
export interface Listing<T> {
  /** As the address of the list ends, such as `instances`. */
  readonly collection: string
  /** The name of the calls, such as `instances` or `zoneOperations`. */
  readonly resource: string
  /** The name of the call that lists all places at once, where it has another one. */
  readonly aggregated?: string
  /** Such as `compute#instance`. */
  readonly kind: string
  readonly fields: Fields
  /** Where they are; left out: in zones. */
  readonly in?: 'regions'
  readonly items: (project: Project) => readonly T[]
  /** Such as `zones/us-central1-a`. */
  readonly scopeOf: (item: T, world: World) => string
  readonly nameOf: (item: T) => string
  readonly createdAt?: (item: T) => number
  readonly write: (item: T, world: World) => Json
}

const query = {
  filter: text,
  maxResults: int64,
  orderBy: text,
  pageToken: text,
  returnPartialSuccess: boolean,
} as const

type Query = Given<typeof query, {}>['query']

const warning = structure({ code: text, message: text, data: list(structure({ key: text, value: text })) })

function answerFields(items: Field): Fields {
  return { id: output, items, kind: output, nextPageToken: output, selfLink: output, unreachables: output, warning }
}

/** The list of one place: of a zone, of a region, or of what is everywhere. */
export function listIn<T>(listing: Listing<T>, place: 'zones/{zone}' | 'regions/{region}' | 'global' | ''): Action {
  const { resource, collection, fields } = listing
  const name = `${resource}.list`
  return action({
    name,
    method: 'GET',
    path: ['projects/{project}', place, collection].filter((part) => part !== '').join('/'),
    query,
    answers: answerFields(list(structure(fields))),
    perform({ parameters, query }, project) {
      const { world, sight } = project
      const scope = scopeAsked(place, parameters, world)
      if (scope.startsWith('zones/')) sight.reach(scope.slice('zones/'.length))
      const { items, next } = read(listing, { name, query, scope }, project)
      const path = [`projects/${world.project}`, scope, collection].filter((part) => part !== '').join('/')
      return {
        kind: `${listing.kind}List`,
        id: path,
        ...(items.length > 0 && { items: items.map((item) => listing.write(item, world)) }),
        ...(next !== undefined && { nextPageToken: next }),
        selfLink: linkTo(path),
      }
    },
  })
}

function scopeAsked(place: string, parameters: Readonly<Record<string, string>>, world: World): string {
  if (place.startsWith('zones/')) return `zones/${zoneOf(parameters, world).name}`
  return place.startsWith('regions/') ? `regions/${regionOf(parameters, world)}` : place
}

/** The list of all places at once, each with its own part of every page. */
export function aggregatedList<T>(listing: Listing<T>): Action {
  const { collection, resource, aggregated = `${resource}.aggregatedList`, fields } = listing
  const scoped = structure({ [collection]: list(structure(fields)), warning })
  return action({
    name: aggregated,
    method: 'GET',
    path: `projects/{project}/aggregated/${collection}`,
    query: { ...query, includeAllScopes: boolean, serviceProjectNumber: int64 },
    answers: answerFields(map(scoped)),
    perform({ query }, project) {
      const { world, sight } = project
      const lost = sight.unreachable
      if (lost.size > 0 && query.returnPartialSuccess !== true) {
        throw new GceError(
          'backendError',
          `Some scopes did not answer: ${[...lost].join(', ')}. Please try again later.`,
        )
      }
      const { items, next } = read(listing, { name: aggregated, query, scope: undefined }, project)
      const byScope = Map.groupBy(items, (item) => listing.scopeOf(item, world))
      const path = `projects/${world.project}/aggregated/${collection}`
      return {
        kind: `${listing.kind}AggregatedList`,
        id: path,
        items: Object.fromEntries(
          scopesOf(listing.in ?? 'zones', world, query.includeAllScopes === true).map((scope) => {
            if (lost.has(scope.replace('zones/', ''))) return [scope, { warning: warningOf('UNREACHABLE', scope) }]
            const there = byScope.get(scope)
            if (!there) return [scope, { warning: warningOf('NO_RESULTS_ON_PAGE', scope) }]
            return [scope, { [collection]: there.map((item) => listing.write(item, world)) }]
          }),
        ),
        ...(next !== undefined && { nextPageToken: next }),
        selfLink: linkTo(path),
        ...(lost.size > 0 && { unreachables: [...lost].map((zone) => `projects/${world.project}/zones/${zone}`) }),
      }
    },
  })
}

function scopesOf(where: 'regions' | 'zones', { zones, regions }: World, all: boolean): readonly string[] {
  const byRegion = regions.map((name) => `regions/${name}`)
  const byZone = zones.map(({ name }) => `zones/${name}`)
  if (all) return ['global', ...byRegion, ...byZone]
  return where === 'regions' ? byRegion : byZone
}

const sentences = {
  NO_RESULTS_ON_PAGE: (scope: string) => `There are no results for scope '${scope}' on this page.`,
  UNREACHABLE: (scope: string) => `The scope '${scope}' is not reachable.`,
} as const

function warningOf(code: keyof typeof sentences, scope: string): Json {
  return { code, message: sentences[code](scope), data: [{ key: 'scope', value: scope }] }
}

interface Asked {
  readonly name: string
  readonly query: Query
  /** Undefined: all of them. */
  readonly scope: string | undefined
}

function read<T>(listing: Listing<T>, { name, query, scope }: Asked, project: Project): Page<T> {
  const { world, sight, buckets, spoils } = project
  const lost = sight.unreachable
  const all = listing.items(project).filter((item) => {
    const at = listing.scopeOf(item, world)
    return scope === undefined ? !lost.has(at.replace('zones/', '')) : at === scope
  })
  let chosen: readonly T[] = all
  if (query.filter !== undefined && query.filter !== '') {
    buckets.takeFiltered(all.length)
    chosen = select(all, query.filter, { fields: listing.fields, write: (item) => listing.write(item, world) })
  }
  return pageOf(name, ordered(listing, chosen, { orderBy: query.orderBy, world }), {
    token: query.pageToken,
    size: pageSize(query.maxResults),
    spoil: spoils.takePage(name),
    malformed: (token) => invalidValue('pageToken', token, 'The page token is malformed.'),
  })
}

function ordered<T>(
  { scopeOf, nameOf, createdAt }: Listing<T>,
  items: readonly T[],
  { orderBy, world }: { orderBy: string | undefined; world: World },
): readonly Placed<T>[] {
  if (orderBy === 'creationTimestamp desc' && createdAt) {
    const place = (item: T) => `${String(1e15 - createdAt(item)).padStart(16, '0')} ${nameOf(item)}`
    return items.map((item) => ({ item, place: place(item) })).sort(byPlace)
  }
  if (orderBy !== undefined && orderBy !== 'name') {
    throw invalidValue('orderBy', orderBy, 'Only "name" and "creationTimestamp desc" are supported.')
  }
  return items.map((item) => ({ item, place: `${scopeOf(item, world)} ${nameOf(item)}` })).sort(byPlace)
}

function byPlace(a: Placed<unknown>, b: Placed<unknown>): number {
  return a.place < b.place ? -1 : 1
}

const most = 500

function pageSize(asked = most): number {
  if (asked >= 0 && asked <= most) return asked === 0 ? most : asked
  throw invalidValue('maxResults', asked, `Must be between 0 and ${most}.`)
}
