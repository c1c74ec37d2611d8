import { core } from '../../api/labels.ts'
import type { KubeObject, ObjectMeta, Resource } from '../../api/meta.ts'
import type { Options } from '../../config/options.ts'
import { countRelists } from '../metrics/observers.ts'
import { createCache, type CacheOptions, type Reflection } from '../runtime/cache/cache.ts'
import type { Selection } from '../runtime/client/client.ts'
import type { Supervisor } from './supervisor.ts'

export interface CacheSource {
  readonly supervisor: Supervisor
  readonly options: Options
}

/**
 * A cache of the objects that this manager acts on: all of them, those of one namespace, or those that carry the label
 * of --watch-filter.
 */
export function cacheOf<T extends { metadata: ObjectMeta }>(
  resource: Resource,
  what: Cached<T>,
  from: CacheSource,
): Reflection<T> {
  const { watchFilter } = from.options
  const selection = watchFilter ? { labelSelector: `${core.watchFilter}=${watchFilter}` } : {}
  return selectedCache(resource, what, selection, from)
}

/** The same, with and without the label of --watch-filter: for what all managers share, and for what is only read. */
export function wholeCacheOf<T extends { metadata: ObjectMeta }>(
  resource: Resource,
  what: Cached<T>,
  from: CacheSource,
): Reflection<T> {
  return selectedCache(resource, what, {}, from)
}

type Cached<T> = { project: (raw: KubeObject) => T } & Pick<CacheOptions<T>, 'indexes'>

function selectedCache<T extends { metadata: ObjectMeta }>(
  resource: Resource,
  what: Cached<T>,
  selection: Selection,
  { supervisor, options }: CacheSource,
): Reflection<T> {
  const namespace = options.namespace && resource.namespaced ? { namespace: options.namespace } : {}
  const onRelist = countRelists(supervisor.metrics, resource.kind)
  return createCache({ client: supervisor.client, ...namespace, ...selection, resource, ...what, onRelist })
}
