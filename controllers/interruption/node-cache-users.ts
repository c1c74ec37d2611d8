import { clusterKeyOf, type Cluster, type InfraMachine } from '../../api/machine.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { NodeCaches } from '../workload/node-caches.ts'

export interface NodeCacheUsers {
  readonly clusters: Pick<Cache<Cluster>, 'get' | 'onChange'>
  /** By kind, with the index `cluster`. */
  readonly infraMachines: ReadonlyMap<string, Cache<InfraMachine>>
  readonly nodeCaches: Pick<NodeCaches, 'use' | 'leave' | 'forget'>
}

/**
 * Has the Nodes of a Cluster watched while it has interruptible machines. Returns a function that ends that. Only what
 * our controllers have written counts: `status.interruptible`.
 */
export function useNodeCaches({ clusters, infraMachines, nodeCaches }: NodeCacheUsers): () => void {
  const follow = (kind: string, key: string, infra: InfraMachine | undefined) => {
    const user = `${kind} ${key}`
    const [cluster] = infra?.status?.interruptible === true ? clusterKeyOf(infra) : []
    if (cluster !== undefined && clusters.get(cluster)) nodeCaches.use(cluster, user)
    else nodeCaches.leave(user)
  }
  const stops = [
    clusters.onChange(({ key, before, after }) => {
      if (!after) nodeCaches.forget(key)
      if (before || !after) return
      for (const [kind, cache] of infraMachines) {
        for (const infra of cache.by('cluster', key)) follow(kind, keyOf(infra), infra)
      }
    }),
    ...Array.from(infraMachines, ([kind, cache]) => cache.onChange(({ key, after }) => follow(kind, key, after))),
  ]
  for (const [kind, cache] of infraMachines) for (const infra of cache.list()) follow(kind, keyOf(infra), infra)
  return () => stops.forEach((stop) => stop())
}
