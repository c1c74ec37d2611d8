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
  what: { project: (raw: KubeObject) => T } & Pick<CacheOptions<T>, 'indexes'>,
  { supervisor, options }: CacheSource,
): Reflection<T> {
  const selection: Selection = {
    ...(options.namespace ? { namespace: options.namespace } : {}),
    ...(options.watchFilter ? { labelSelector: `${core.watchFilter}=${options.watchFilter}` } : {}),
  }
  const onRelist = countRelists(supervisor.metrics, resource.kind)
  return createCache({ client: supervisor.client, ...selection, resource, ...what, onRelist })
}
